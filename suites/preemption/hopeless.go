package preemption

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "preemption-hopeless",
		Profile:      "preemption",
		Summary:      "A gang of high priority is larger than its nodes, however many pods of low priority are evicted.",
		Requirements: []string{"PRE-003"},
		Needs:        needs(pool(mainPool, 3, 1)),
		Weight:       26,
		Drive:        driveHopeless,
		Judge:        judgeHopeless,
	})
}

func driveHopeless(ctx context.Context, env suites.Env) error {
	nodes := env.Pool(mainPool).Nodes()
	if err := place(ctx, env, across(nodes, pod("low", mainPool, "low"))...); err != nil {
		return err
	}
	env.Mark(ctx, ready)
	n := len(nodes) + 1
	if err := attack(ctx, env, "g", mainPool, n, n); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "came", settled, n)
}

func judgeHopeless(v *history.View) []suites.Finding {
	g := gang(v, "g", podsOf(v, "low-0", "low-1", "low-2")...)
	return []suites.Finding{
		g.spared(untouchedFor(g.hopeless("PRE-003"), g.need), g.legal, "for a gang that cannot run anyhow"),
	}
}
