package preemption

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "preemption-two-gangs-one-place",
		Profile:      "preemption",
		Summary:      "Two gangs of the same high priority want the two nodes that pods of low priority hold.",
		Requirements: []string{"PRE-054"},
		Needs:        needs(pool(mainPool, 2, 1)),
		Weight:       24,
		Drive:        driveTwoPreemptors,
		Judge:        judgeTwoPreemptors,
	})
}

func driveTwoPreemptors(ctx context.Context, env suites.Env) error {
	nodes := env.Pool(mainPool).Nodes()
	if err := place(ctx, env, across(nodes, pod("low", mainPool, "low"))...); err != nil {
		return err
	}
	env.Mark(ctx, ready)
	for _, name := range []string{"a", "b"} {
		if err := attack(ctx, env, name, mainPool, 2, 2); err != nil {
			return err
		}
	}
	env.Await(ctx, "one of them runs", kit.Patience(env, 2), kit.Either(kit.Bound("a", 2), kit.Bound("b", 2)))
	return kit.Watch(ctx, env, "came", settled, 2)
}

func judgeTwoPreemptors(v *history.View) []suites.Finding {
	a, b := gang(v, "a", podsOf(v, "low-0", "low-1")...), gang(v, "b", podsOf(v, "low-0", "low-1")...)
	opened := func(s story) *kit.Case {
		c := untouchedFor(s.opened("PRE-054"), 2)
		b.fits(c, nil, false, "no room for either")
		return c
	}
	c := opened(a)
	at := c.Mark(settled)
	na, nb := len(v.BoundAt("a", at)), len(v.BoundAt("b", at))
	return []suites.Finding{
		c.About(at).Holds(na+nb == 2 && na*nb == 0, "%d members of one gang and %d of the other bound; expected all of one and none of the other", na, nb),
		a.spared(opened(a), a.preemptor, "by their equal"), b.spared(opened(b), b.preemptor, "by their equal"),
	}
}
