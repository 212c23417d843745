package preemption

import (
	"context"
	"slices"
	"time"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "preemption-fewest-victims",
		Profile:      "preemption",
		Summary:      "Of two nodes, the one that looks emptier is held by two pods of low priority, the other by a single one.",
		Requirements: []string{"PRE-052"},
		Needs:        needs(pool("gang", 2, 2), pool("pod", 2, 2)),
		Weight:       20,
		Drive:        driveFewest,
		Judge:        judgeFewest,
	})
}

// pause is a little more than how late a scheduler's knowledge may be.
const pause = 6 * time.Second

func driveFewest(ctx context.Context, env suites.Env) error {
	for _, where := range []string{"gang", "pod"} {
		nodes := env.Pool(where).Nodes()
		small := across([]string{nodes[0], nodes[0]}, pod(where+"-small", where, "low"))
		large := on(nodes[1], pod(where+"-large", where, "low"))
		large.GPUs = 2
		if err := place(ctx, env, append(small, large, ballast(where+"-ballast", where, nodes[1]))...); err != nil {
			return err
		}
	}
	// Here nobody can say that the stage was not known yet, or that another's victims are meant: the pauses are longer
	// than what the invariant about cheap victims (INV-013) allows for either.
	env.Hold(ctx, "the stage is known", pause)
	env.Mark(ctx, ready)
	m := member("g", "g", "gang", "high")
	m.GPUs = 2
	if err := attackWith(ctx, env, gangOfOne("g"), 1, m); err != nil {
		return err
	}
	env.Await(ctx, "the gang runs", kit.Patience(env, 1), kit.PodsBound("g-0"))
	env.Hold(ctx, "the gang's victims are history", pause)
	p := pod("p", "pod", "high")
	p.GPUs = 2
	if err := env.CreatePods(ctx, p); err != nil {
		return err
	}
	kit.AwaitOver(ctx, env, settled, 1, kit.PodsBound("g-0", "p"))
	return ctx.Err()
}

func judgeFewest(v *history.View) []suites.Finding {
	g, p := gang(v, "g", podsOf(v, "gang-large")...), lone(v, "p", podsOf(v, "pod-large")...)
	all := func(where string) []*history.Pod {
		return slices.Concat(podsOf(v, where+"-small-0", where+"-small-1", where+"-large"))
	}
	return []suites.Finding{
		g.hit(g.opened("PRE-052"), all("gang"), 1, 1, "for a gang that could have made do with one"),
		p.hit(p.opened("PRE-052"), all("pod"), 1, 1, "for a pod that could have made do with one"),
		g.bound(g.opened("PRE-052"), 1), p.bound(p.opened("PRE-052"), 1),
	}
}
