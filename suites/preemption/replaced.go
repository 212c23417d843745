package preemption

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "preemption-member-replaced",
		Profile:      "preemption",
		Summary:      "One member of a running gang is preempted; a node and a replacement come later.",
		Requirements: []string{"PRE-067"},
		Needs:        needs(pool(mainPool, 2, 1)),
		Weight:       12,
		Drive:        driveReplaced,
		Judge:        judgeReplaced,
	})
}

func driveReplaced(ctx context.Context, env suites.Env) error {
	nodes := env.Pool(mainPool).Nodes()
	v := build.Gang{Name: "v", Quorum: 2, PriorityClass: "low"}
	if err := runningGroup(ctx, env, v, across(nodes, member("v", "v", mainPool, "low"))...); err != nil {
		return err
	}
	env.Mark(ctx, ready)
	if err := env.CreatePods(ctx, pod("p", mainPool, "high")); err != nil {
		return err
	}
	env.Await(ctx, "the pod runs", kit.Patience(env, 1), kit.PodsBound("p"))
	env.Mark(ctx, "preempted")
	if err := env.AddNodes(ctx, mainPool, 1); err != nil {
		return err
	}
	if err := env.CreatePods(ctx, member("replacement", "v", mainPool, "low")); err != nil {
		return err
	}
	kit.AwaitOver(ctx, env, settled, 2, kit.PodsBound("replacement"))
	return ctx.Err()
}

func judgeReplaced(v *history.View) []suites.Finding {
	p := lone(v, "p", podsOf(v, "v-0")...)
	opened := func() *kit.Case {
		c := p.opened("PRE-067")
		at := c.Mark("preempted")
		c.Premise(len(preempted(v, v.Members("v"), at)) == 1, nil, "one of two members was preempted")
		return c
	}
	c := opened()
	replacement := podsOf(v, "replacement")
	at := c.Mark(settled)
	ok := len(replacement) == 1 && replacement[0].BoundAt(at)
	return []suites.Finding{
		c.About(at, kit.Objects(replacement)...).Holds(ok, "the replacement of a preempted member has to be bound beside the one that stayed"),
		p.hit(opened(), v.Members("v"), 1, 1, "in all"),
	}
}
