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
		Name:         "preemption-useless-for-a-pod",
		Profile:      "preemption",
		Summary:      "A pod that needs two GPUs finds on each node one held by a group of low priority and one held by a higher one.",
		Requirements: []string{"PRE-025"},
		Needs:        needs(pool(mainPool, 2, 2)),
		Weight:       17,
		Drive:        driveUseless,
		Judge:        judgeUseless,
	})
}

func driveUseless(ctx context.Context, env suites.Env) error {
	nodes := env.Pool(mainPool).Nodes()
	if err := place(ctx, env, across(nodes, pod("top", mainPool, "top"))...); err != nil {
		return err
	}
	g := build.Gang{Name: "v", Quorum: 2, PriorityClass: "low", DisruptAll: true}
	if err := runningGroup(ctx, env, g, across(nodes, member("v", "v", mainPool, "low"))...); err != nil {
		return err
	}
	env.Mark(ctx, ready)
	p := pod("p", mainPool, "high")
	p.GPUs = 2
	if err := env.CreatePods(ctx, p); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "came", settled, 1)
}

func judgeUseless(v *history.View) []suites.Finding {
	p := lone(v, "p", v.Members("v")...)
	return []suites.Finding{p.spared(untouchedFor(p.hopeless("PRE-025"), 1), p.legal, "for a pod that would not fit anyhow")}
}
