package preemption

import (
	"context"
	"fmt"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "preemption-group-is-gone",
		Profile:      "preemption",
		Summary:      "Pods run whose group, only disrupted together, does not exist any more; a pod needs the node of one of them.",
		Requirements: []string{"PRE-028"},
		Needs:        needs(pool(mainPool, 3, 1)),
		Weight:       10,
		Drive:        driveGroupGone,
		Judge:        judgeGroupGone,
	})
}

func driveGroupGone(ctx context.Context, env suites.Env) error {
	v := build.Gang{Name: "v", Quorum: 3, PriorityClass: "low", DisruptAll: true}
	if err := runningGroup(ctx, env, v, across(env.Pool(mainPool).Nodes(), member("v", "v", mainPool, "low"))...); err != nil {
		return err
	}
	if err := env.DeleteGang(ctx, "v"); err != nil {
		return err
	}
	// The group's protection would keep it for as long as its members run.
	if _, err := env.Try(ctx, "unprotect v", suites.Attempt{
		Verb: "patch", GVR: podGroups, Name: "v", Patch: []byte(`{"metadata":{"finalizers":null}}`),
	}); err != nil {
		return err
	}
	env.Await(ctx, "the group is gone", kit.Patience(env, 1), kit.GangGone("v"))
	env.Hold(ctx, "the scheduler hears of it", glance)
	env.Mark(ctx, ready)
	if err := env.CreatePods(ctx, pod("p", mainPool, "high")); err != nil {
		return err
	}
	kit.AwaitOver(ctx, env, settled, 1, kit.PodsBound("p"))
	return ctx.Err()
}

func judgeGroupGone(v *history.View) []suites.Finding {
	p := lone(v, "p", v.Members("v")...)
	c := p.opened("PRE-028")
	at, _ := v.Mark(ready)
	g := v.Gang("v")
	c.Premise(g != nil && g.DisruptAll && !g.Gone.IsZero() && !g.Gone.After(at), nil, "a group that is only disrupted together was gone before")
	c.Premise(len(p.legal) == 3, nil, "its three members run")
	end := c.Mark(settled)
	return []suites.Finding{c.Saw(fmt.Sprintf("%d of %d preempted", len(preempted(v, p.legal, end)), len(p.legal)),
		"what is preempted of pods whose group, disrupted together, is gone, when one of their nodes is needed")}
}
