package preemption

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "preemption-gang-evicts-pods",
		Profile:      "preemption",
		Summary:      "Two gangs of high priority find their nodes full of pods of low priority: one node, and three.",
		Requirements: []string{"PRE-001", "PRE-049", "PRE-060"},
		Needs:        needs(pool("one", 1, 2), pool("many", 3, 1)),
		Weight:       5,
		Drive:        driveGangEvictsPods,
		Judge:        judgeGangEvictsPods,
	})
}

func driveGangEvictsPods(ctx context.Context, env suites.Env) error {
	one, many := env.Pool("one").Nodes(), env.Pool("many").Nodes()
	full := across([]string{one[0], one[0]}, pod("one", "one", "low"))
	if err := place(ctx, env, append(full, across(many, pod("many", "many", "low"))...)...); err != nil {
		return err
	}
	env.Mark(ctx, ready)
	if err := attack(ctx, env, "a", "one", 2, 2); err != nil {
		return err
	}
	if err := attack(ctx, env, "b", "many", len(many), len(many)); err != nil {
		return err
	}
	kit.AwaitMark(ctx, env, settled, len(many), kit.All(kit.Bound("a", 2), kit.Bound("b", len(many))))
	return ctx.Err()
}

func judgeGangEvictsPods(v *history.View) []suites.Finding {
	a := gang(v, "a", podsOf(v, "one-0", "one-1")...)
	b := gang(v, "b", podsOf(v, "many-0", "many-1", "many-2")...)
	return []suites.Finding{
		a.bound(a.opened("PRE-001"), a.need),
		b.bound(b.opened("PRE-049"), b.need),
		b.hit(b.opened("PRE-049"), b.legal, len(b.legal), len(b.legal), "on as many nodes"),
		judgeAnnounced(v, a, b),
	}
}

// judgeAnnounced: whoever was preempted carried the condition before, or at the same time as, the deletion timestamp.
func judgeAnnounced(v *history.View, stories ...story) suites.Finding {
	c := kit.For(v, "PRE-060")
	at := c.Mark(settled)
	var gone, silent []*history.Pod
	for _, s := range stories {
		gone = append(gone, preempted(v, s.legal, at)...)
	}
	c.Premise(len(gone) > 0, nil, "somebody was preempted")
	for _, p := range gone {
		if !slices.ContainsFunc(p.Conditions[string(corev1.DisruptionTarget)], func(a history.At[history.Condition]) bool {
			return a.Value.Status == string(corev1.ConditionTrue) && !a.Stamp.After(p.Deleting)
		}) {
			silent = append(silent, p)
		}
	}
	return c.About(at, kit.Objects(silent)...).Holds(len(silent) == 0,
		"%d of %d preempted pods were deleted without DisruptionTarget=True", len(silent), len(gone))
}
