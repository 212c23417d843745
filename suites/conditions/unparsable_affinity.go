package conditions

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "conditions-unparsable-affinity",
		Profile:      "conditions",
		Summary:      "The members of a gang that fits prefer nodes by a comparison with something that is no number.",
		Requirements: []string{"COND-003"},
		// More nodes than members: a scheduler that has no choice need not look at preferences.
		Needs:  needs(4),
		Weight: 2,
		Drive:  driveUnparsable,
		Judge:  judgeUnparsable,
	})
}

// unparsable is a preference that the API server admits and that no scheduler can compute: Gt compares integers.
func unparsable() *corev1.Affinity {
	return &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{{
			Weight: 1,
			Preference: corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{
				Key: "muster.dev/size", Operator: corev1.NodeSelectorOpGt, Values: []string{"many"},
			}}},
		}},
	}}
}

func driveUnparsable(ctx context.Context, env suites.Env) error {
	free, err := slots(env, 4)
	if err != nil {
		return err
	}
	n := free - 2
	pods := kit.Members(n, group, mainPool)
	for i := range pods {
		pods[i].Affinity = unparsable()
	}
	env.Mark(ctx, "room")
	if err := kit.CreateGang(ctx, env, build.Gang{Name: group, Quorum: int32(n)}, pods...); err != nil {
		return err
	}
	kit.AwaitMark(ctx, env, "answered", n, kit.Either(saysWhy(group, "SchedulerError"), kit.Bound(group, n)))
	return ctx.Err()
}

func judgeUnparsable(v *history.View) []suites.Finding {
	all := v.Members(group)
	c := kit.For(v, "COND-003")
	c.Fits(c.Mark("room"), all)
	mark := c.Mark("answered")
	said := at(v, group, mark)
	return []suites.Finding{c.About(mark, object(v, group)).Holds(said.Status == isFalse && said.Reason == "SchedulerError",
		"members with a node affinity that does not parse: %d of %d bound, and the condition says %s; expected False (SchedulerError)",
		len(v.BoundAt(group, mark)), len(all), spoken(said))}
}
