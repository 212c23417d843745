package composite

import (
	"context"
	"fmt"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	n := needs(racks(2, 4))
	n.Pools = append(n.Pools, nodes.Pool{Name: besidePool, Count: 1, GPUs: 8})
	n.Capabilities = []string{suites.ReadSchedulerMetrics}
	suites.Register(suites.Scenario{
		Name:         "composite-metrics",
		Profile:      "composite",
		Summary:      "A gang, and a composite of two, demand one of two racks; between them the scheduler's metrics are read.",
		Requirements: []string{"CPG-055"},
		Needs:        n,
		Isolation:    suites.Exclusive,
		Weight:       1,
		Drive:        driveMetrics,
		Judge:        judgeMetrics,
	})
}

const (
	// besidePool is for the pods by which it is known that a scheduler has counted.
	besidePool = "beside"
	readFirst  = "at first"
	readGang   = "a gang is bound"
	readTree   = "a tree is bound"
)

// Metrics of kube-scheduler.
const (
	generatedPlacements = "scheduler_generated_placements_total"
	placementResults    = "scheduler_placement_evaluations_total"
	groupAttempts       = "scheduler_podgroup_schedule_attempts_total"
)

func driveMetrics(ctx context.Context, env suites.Env) error {
	metrics, err := kit.ReadsMetrics(env, suites.Scheduler, generatedPlacements, placementResults, groupAttempts)
	if err != nil {
		return err
	}
	if err := metrics.After(ctx, env, readFirst, besidePool); err != nil {
		return err
	}
	alone := build.Gang{Name: "g", Quorum: 2, TopologyKey: env.Pool(mainPool).Spec().RackKey}
	if err := createLeaf(ctx, env, alone, 2); err != nil {
		return err
	}
	if !env.Await(ctx, "the gang is bound", kit.Patience(env, 2), kit.Bound("g", 2)) {
		return ctx.Err()
	}
	if err := metrics.After(ctx, env, readGang, besidePool); err != nil {
		return err
	}
	if err := pair(ctx, env, rackRoot(env, 2)); err != nil {
		return err
	}
	env.Await(ctx, "the tree is bound", kit.Patience(env, 4), kit.All(kit.Bound("a", 2), kit.Bound("b", 2)))
	return metrics.After(ctx, env, readTree, besidePool)
}

func judgeMetrics(v *history.View) []suites.Finding {
	c := kit.For(v, "CPG-055")
	m := c.Readings(readFirst, readGang, readTree)
	tree(c, v, "tree", 2)
	at := m.At[readTree]
	c.Premise(len(v.BoundAt("g", m.At[readGang])) == 2, nil, "a gang that demands a rack was bound")
	c.Premise(keyOf(v, "tree") != "" && len(standing(v, at, "a", "b")) == 4, nil, "a composite that demands a rack was bound")
	say := func(from, to string) string {
		return fmt.Sprintf("placements generated: %s, evaluated: %s, attempts: %s", m.Say(from, to, generatedPlacements, ""),
			m.Say(from, to, placementResults, "result"), m.Say(from, to, groupAttempts, "result"))
	}
	return []suites.Finding{c.About(at, "podgroup g", "compositepodgroup tree").Saw("for a gang "+say(readFirst, readGang)+"; for a composite of two "+say(readGang, readTree),
		"what is counted of a gang, and of a composite, that demand one of two racks")}
}
