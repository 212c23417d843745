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
		Name:         "preemption-lowest-of-several-groups",
		Profile:      "preemption",
		Summary:      "Three groups of different priorities stand side by side on two nodes; a gang, and elsewhere a pod, needs one slot.",
		Requirements: []string{"PRE-026"},
		Needs:        needs(pool("gang", 2, 3), pool("pod", 2, 3)),
		Weight:       13,
		Drive:        driveOrder,
		Judge:        judgeOrder,
	})
}

// ranks are the classes of the three groups, lowest first.
var ranks = []string{"low", "mid", "upper"}

func driveOrder(ctx context.Context, env suites.Env) error {
	for _, where := range []string{"gang", "pod"} {
		for _, class := range ranks {
			g := build.Gang{Name: where + "-" + class, Quorum: 2, PriorityClass: class, DisruptAll: true}
			if err := runningGroup(ctx, env, g, across(env.Pool(where).Nodes(), member(g.Name, g.Name, where, class))...); err != nil {
				return err
			}
		}
	}
	// Whoever was placed just before may not be known to whoever looks for victims.
	env.Hold(ctx, "the groups are known", pause)
	env.Mark(ctx, ready)
	if err := attack(ctx, env, "g", "gang", 1, 1); err != nil {
		return err
	}
	if err := env.CreatePods(ctx, pod("p", "pod", "high")); err != nil {
		return err
	}
	// The preemptor needs the place of one member; whether the other one goes has to be waited for by itself.
	kit.AwaitOver(ctx, env, settled, 1, kit.All(kit.PodsBound("g-0", "p"), kit.PodsGone("gang-low-0", "gang-low-1", "pod-low-0", "pod-low-1")))
	return ctx.Err()
}

func judgeOrder(v *history.View) []suites.Finding {
	var out []suites.Finding
	for _, s := range []story{gang(v, "g", v.Members("gang-low")...), lone(v, "p", v.Members("pod-low")...)} {
		where := "gang"
		if len(s.legal) > 0 {
			where = s.legal[0].Gang[:len(s.legal[0].Gang)-len("-low")]
		}
		others := slices.Concat(v.Members(where+"-mid"), v.Members(where+"-upper"))
		out = append(out,
			s.spared(s.opened("PRE-026"), others, "although a group of lower priority stood on the same nodes"),
			s.hit(s.opened("PRE-026"), s.legal, 2, 2, "of the group of lowest priority"),
			s.bound(s.opened("PRE-026"), 1))
	}
	return out
}
