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
		Name:         "preemption-group-outranks-its-pods",
		Profile:      "preemption",
		Summary:      "The running pods have a low priority, their groups a high one; a gang and a pod of a priority in between come.",
		Requirements: []string{"PRE-027"},
		Needs:        needs(pool(mainPool, 2, 1)),
		Weight:       17,
		Drive:        driveGroupPriority,
		Judge:        judgeGroupPriority,
	})
}

func driveGroupPriority(ctx context.Context, env suites.Env) error {
	for i, node := range env.Pool(mainPool).Nodes() {
		g := build.Gang{Name: "single", Quorum: 1, PriorityClass: "top"}
		if i == 1 {
			g.Name, g.DisruptAll = "all", true
		}
		// The driver puts the member on its node, so that no scheduler has a say about the odd priority.
		if err := runningGroup(ctx, env, g, on(node, member(g.Name, g.Name, mainPool, "low"))); err != nil {
			return err
		}
	}
	env.Mark(ctx, ready)
	if err := attack(ctx, env, "g", mainPool, 1, 1); err != nil {
		return err
	}
	if err := env.CreatePods(ctx, pod("p", mainPool, "high")); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "came", settled, 1)
}

func judgeGroupPriority(v *history.View) []suites.Finding {
	there := podsOf(v, "single", "all")
	var out []suites.Finding
	for _, s := range []story{gang(v, "g", there...), lone(v, "p", there...)} {
		c := s.opened("PRE-027")
		for _, name := range []string{"single", "all"} {
			g := v.Gang(name)
			c.Premise(g != nil && len(s.preemptor) > 0 && g.Priority > s.preemptor[0].Priority, nil, "group %s outranks the newcomer", name)
		}
		for _, p := range there {
			c.Premise(len(s.preemptor) > 0 && p.Priority < s.preemptor[0].Priority, nil, "pod %s by itself does not", p.Name)
		}
		out = append(out, s.spared(untouchedFor(c, 1), there, "although their groups are of higher priority"))
	}
	return out
}
