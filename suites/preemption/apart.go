package preemption

import (
	"context"
	"slices"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "preemption-apart",
		Profile:      "preemption",
		Summary:      "One node out of three is needed from gangs whose members may be disrupted singly, by a gang and by a pod.",
		Requirements: []string{"PRE-022", "PRE-024", "PRE-061"},
		Needs:        needs(pool("gang", 3, 1), pool("pod", 3, 1)),
		Weight:       7,
		Drive:        driveApart,
		Judge:        judgeApart,
	})
}

func driveApart(ctx context.Context, env suites.Env) error {
	for _, name := range []string{"gang", "pod"} {
		g := build.Gang{Name: "victim-" + name, Quorum: 3, PriorityClass: "low"}
		if err := runningGroup(ctx, env, g, across(env.Pool(name).Nodes(), member(g.Name, g.Name, name, "low"))...); err != nil {
			return err
		}
	}
	env.Mark(ctx, ready)
	if err := attack(ctx, env, "for-gang", "gang", 1, 1); err != nil {
		return err
	}
	if err := env.CreatePods(ctx, pod("for-pod", "pod", "high")); err != nil {
		return err
	}
	kit.AwaitOver(ctx, env, settled, 1, kit.PodsBound("for-gang-0", "for-pod"))
	if err := ctx.Err(); err != nil {
		return err
	}
	return lookUpEvents(ctx, env, func(v *history.View) []*history.Pod {
		return append(slices.Clone(v.Members("victim-gang")), v.Members("victim-pod")...)
	})
}

func judgeApart(v *history.View) []suites.Finding {
	a := gang(v, "for-gang", v.Members("victim-gang")...)
	p := lone(v, "for-pod", v.Members("victim-pod")...)
	return []suites.Finding{
		a.hit(a.opened("PRE-022"), a.legal, 1, 1, "for a gang that needs one node"), a.bound(a.opened("PRE-022"), 1),
		p.hit(p.opened("PRE-024"), p.legal, 1, 1, "for a pod that needs one node"), p.bound(p.opened("PRE-024"), 1),
		judgeEvents(v, []string{"gang", "pod"}, a, p),
	}
}
