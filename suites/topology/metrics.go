package topology

import (
	"context"
	"fmt"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	n := needs(racks(3, 2, 1))
	n.Pools = append(n.Pools, nodes.Pool{Name: besidePool, Count: 1, GPUs: 8})
	n.Capabilities = []string{suites.ReadSchedulerMetrics}
	suites.Register(suites.Scenario{
		Name:         "topology-metrics",
		Profile:      "topology",
		Summary:      "A gang demands one of three racks, of which one is too full; before and after it the scheduler's metrics are read.",
		Requirements: []string{"TAS-042"},
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
	readBound  = "one is bound in a rack"
)

// Metrics of kube-scheduler.
const (
	generatedPlacements = "scheduler_generated_placements_total"
	placementResults    = "scheduler_placement_evaluations_total"
)

func driveMetrics(ctx context.Context, env suites.Env) error {
	metrics, err := kit.ReadsMetrics(env, suites.Scheduler, generatedPlacements, placementResults)
	if err != nil {
		return err
	}
	if _, err := fill(ctx, env, "taken", "", rack(env, 0)[0]); err != nil {
		return err
	}
	if err := metrics.After(ctx, env, readFirst, besidePool); err != nil {
		return err
	}
	if err := kit.CreateGang(ctx, env, racked(env, "g", 2), kit.Members(2, "g", mainPool)...); err != nil {
		return err
	}
	if !env.Await(ctx, "the gang is bound", kit.Patience(env, 2), kit.Bound("g", 2)) {
		return ctx.Err()
	}
	return metrics.After(ctx, env, readBound, besidePool)
}

func judgeMetrics(v *history.View) []suites.Finding {
	c := kit.For(v, "TAS-042")
	m := c.Readings(readFirst, readBound)
	key, at := keyOf(v, "g"), m.At[readBound]
	c.Premise(key != "" && len(v.BoundAt("g", at)) == 2, nil, "a gang that demands a rack was bound")
	c.FitsWithin(m.At[readFirst], v.Members("g"), key, "", 2)
	return []suites.Finding{c.About(at, "podgroup g").Saw(fmt.Sprintf("generated: %s; evaluated: %s",
		m.Say(readFirst, readBound, generatedPlacements, ""), m.Say(readFirst, readBound, placementResults, "result")),
		"what is counted of a gang that demands one of three racks, one of which is too full")}
}
