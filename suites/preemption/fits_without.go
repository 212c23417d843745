package preemption

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "preemption-not-needed",
		Profile:      "preemption",
		Summary:      "A gang of high priority finds room enough beside a pod of low priority.",
		Requirements: []string{"PRE-004"},
		Needs:        needs(pool(mainPool, 3, 1)),
		Weight:       4,
		Drive:        driveFitsWithout,
		Judge:        judgeFitsWithout,
	})
}

func driveFitsWithout(ctx context.Context, env suites.Env) error {
	nodes := env.Pool(mainPool).Nodes()
	if err := place(ctx, env, on(nodes[0], pod("low", mainPool, "low"))); err != nil {
		return err
	}
	env.Mark(ctx, ready)
	if err := attack(ctx, env, "g", mainPool, len(nodes)-1, len(nodes)-1); err != nil {
		return err
	}
	kit.AwaitOver(ctx, env, settled, len(nodes), kit.Bound("g", len(nodes)-1))
	return ctx.Err()
}

func judgeFitsWithout(v *history.View) []suites.Finding {
	g := gang(v, "g")
	opened := func() *kit.Case {
		c := kit.For(v, "PRE-004")
		c.Fits(c.Mark(ready), g.preemptor)
		return c
	}
	return []suites.Finding{
		g.spared(opened(), podsOf(v, "low"), "although the gang fitted beside it"),
		g.bound(opened(), g.need),
	}
}
