package preemption

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	s := needs(pool(mainPool, 2, 1))
	s.Gates = map[string]bool{"PodGroupPreemptionPolicy": false}
	suites.Register(suites.Scenario{
		Name:         "preemption-pods-say-never",
		Profile:      "preemption",
		Summary:      "Where groups have no preemption policy of their own, a gang's pods say Never.",
		Requirements: []string{"PRE-009"},
		Needs:        s,
		Isolation:    suites.OwnCluster,
		Weight:       40,
		Drive:        driveNeverGateOff,
		Judge:        judgeNeverGateOff,
	})
}

func driveNeverGateOff(ctx context.Context, env suites.Env) error {
	never, err := neverClass(ctx, env)
	if err != nil {
		return err
	}
	nodes := env.Pool(mainPool).Nodes()
	if err := place(ctx, env, across(nodes, pod("low", mainPool, "low"))...); err != nil {
		return err
	}
	env.Mark(ctx, ready)
	if err := attackWith(ctx, env, build.Gang{Name: "g", Quorum: 2}, 2, member("g", "g", mainPool, never)); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "came", settled, 2)
}

func judgeNeverGateOff(v *history.View) []suites.Finding {
	g := gang(v, "g", podsOf(v, "low-0", "low-1")...)
	c := modest(g.opened("PRE-009"), g)
	return []suites.Finding{g.spared(untouchedFor(c, 2), g.legal, "for a gang whose pods never preempt")}
}
