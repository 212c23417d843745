package preemption

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "preemption-lowest-priority-elsewhere",
		Profile:      "preemption",
		Summary:      "Of two nodes, the one that looks emptier is held by a pod of middle priority, the other by one of low priority.",
		Requirements: []string{"PRE-047"},
		Needs:        needs(pool("gang", 2, 1), pool("pod", 2, 1)),
		Weight:       7,
		Drive:        driveLowestFirst,
		Judge:        judgeLowestFirst,
	})
}

func driveLowestFirst(ctx context.Context, env suites.Env) error {
	for _, where := range []string{"gang", "pod"} {
		nodes := env.Pool(where).Nodes()
		if err := place(ctx, env, on(nodes[0], pod(where+"-mid", where, "mid")), on(nodes[1], pod(where+"-low", where, "low")),
			ballast(where+"-ballast", where, nodes[1])); err != nil {
			return err
		}
	}
	env.Mark(ctx, ready)
	if err := attack(ctx, env, "g", "gang", 1, 1); err != nil {
		return err
	}
	if err := env.CreatePods(ctx, pod("p", "pod", "high")); err != nil {
		return err
	}
	kit.AwaitOver(ctx, env, settled, 1, kit.PodsBound("g-0", "p"))
	return ctx.Err()
}

func judgeLowestFirst(v *history.View) []suites.Finding {
	g, p := gang(v, "g", podsOf(v, "gang-low")...), lone(v, "p", podsOf(v, "pod-low")...)
	return []suites.Finding{
		g.spared(g.opened("PRE-047"), podsOf(v, "gang-mid"), "for a gang, although one of lower priority would have done"),
		p.spared(p.opened("PRE-047"), podsOf(v, "pod-mid"), "for a pod, although one of lower priority would have done"),
		g.bound(g.opened("PRE-047"), 1), p.bound(p.opened("PRE-047"), 1),
	}
}
