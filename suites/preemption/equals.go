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
		Name:         "preemption-equals",
		Profile:      "preemption",
		Summary:      "A gang and a pod find their nodes held by pods and groups of equal and of higher priority.",
		Requirements: []string{"PRE-006"},
		Needs:        needs(pool(mainPool, 4, 1)),
		Weight:       20,
		Drive:        driveEquals,
		Judge:        judgeEquals,
	})
}

func driveEquals(ctx context.Context, env suites.Env) error {
	nodes := env.Pool(mainPool).Nodes()
	if err := place(ctx, env, on(nodes[0], pod("equal", mainPool, "high")), on(nodes[1], pod("higher", mainPool, "top"))); err != nil {
		return err
	}
	for i, class := range []string{"high", "top"} {
		name := "group-" + class
		g := build.Gang{Name: name, Quorum: 1, PriorityClass: class, DisruptAll: true}
		if err := runningGroup(ctx, env, g, on(nodes[2+i], member(name, name, mainPool, class))); err != nil {
			return err
		}
	}
	env.Mark(ctx, ready)
	if err := attack(ctx, env, "g", mainPool, 2, 2); err != nil {
		return err
	}
	if err := env.CreatePods(ctx, pod("p", mainPool, "high")); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "came", settled, 2)
}

func judgeEquals(v *history.View) []suites.Finding {
	there := podsOf(v, "equal", "higher", "group-high", "group-top")
	var out []suites.Finding
	for _, s := range []story{gang(v, "g", there...), lone(v, "p", there...)} {
		out = append(out, s.spared(untouchedFor(s.opened("PRE-006"), 2), there, "for somebody of no higher priority"))
	}
	return out
}
