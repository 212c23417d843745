package preemption

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

// Seen in practice: victims are chosen by the priority of the pods, and a workload that its owner made important dies
// for one that is less so.
func init() {
	suites.Register(suites.Scenario{
		Name:         "preemption-priorities-reversed",
		Profile:      "preemption",
		Summary:      "Of two running groups one has a high priority and pods of a low one, the other the reverse; a gang, and elsewhere a pod, of a priority in between needs one node.",
		Requirements: []string{"FIELD-012"},
		Needs:        needs(pool("gang", 2, 1), pool("pod", 2, 1)),
		Weight:       8,
		Drive:        driveReversed,
		Judge:        judgeReversed,
	})
}

func driveReversed(ctx context.Context, env suites.Env) error {
	for _, where := range []string{"gang", "pod"} {
		nodes := env.Pool(where).Nodes()
		strong, weak := where+"-strong", where+"-weak"
		if err := runningGroup(ctx, env, build.Gang{Name: strong, Quorum: 1, PriorityClass: "top"}, on(nodes[0], member(strong, strong, where, "low"))); err != nil {
			return err
		}
		if err := runningGroup(ctx, env, build.Gang{Name: weak, Quorum: 1, PriorityClass: "low"}, on(nodes[1], member(weak, weak, where, "top"))); err != nil {
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

func judgeReversed(v *history.View) []suites.Finding {
	g, p := gang(v, "g", podsOf(v, "gang-weak")...), lone(v, "p", podsOf(v, "pod-weak")...)
	const id = "FIELD-012"
	return []suites.Finding{
		g.spared(g.opened(id), podsOf(v, "gang-strong"), "for a gang, although its group is of higher priority"),
		g.hit(g.opened(id), g.legal, 1, 1, "for a gang, as its group is of lower priority"), g.bound(g.opened(id), 1),
		p.spared(p.opened(id), podsOf(v, "pod-strong"), "for a pod, although its group is of higher priority"),
		p.hit(p.opened(id), p.legal, 1, 1, "for a pod, as its group is of lower priority"), p.bound(p.opened(id), 1),
	}
}
