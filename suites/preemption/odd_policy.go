package preemption

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/suites/premise"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "preemption-odd-policy",
		Profile:      "preemption",
		Summary:      "There is room for a gang that preempts, of whose two pods one never preempts.",
		Requirements: []string{"PRE-055"},
		Needs:        needs(pool(mainPool, 2, 1)),
		Weight:       21,
		Drive:        driveOddPolicy,
		Judge:        judgeOddPolicy,
	})
}

func driveOddPolicy(ctx context.Context, env suites.Env) error {
	never, err := neverClass(ctx, env)
	if err != nil {
		return err
	}
	if err := groupWithPolicy(ctx, env, "g", env.PriorityClass("high"), corev1.PreemptLowerPriority); err != nil {
		return err
	}
	env.Mark(ctx, ready)
	if err := env.CreatePods(ctx, member("g-0", "g", mainPool, "high"), member("g-1", "g", mainPool, never)); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "came", settled, 2); err != nil {
		return err
	}
	return env.Delete(ctx, priority, never)
}

func judgeOddPolicy(v *history.View) []suites.Finding {
	c := kit.For(v, "PRE-055")
	members := v.Members("g")
	start := c.Mark(ready)
	_, to := c.Watched("came", settled, 2)
	never := 0
	for _, p := range members {
		if policy := p.First.Spec.PreemptionPolicy; policy != nil && *policy == corev1.PreemptNever {
			never++
		}
	}
	c.Premise(len(members) == 2 && never == 1, nil, "one of two members never preempts (%d of %d)", never, len(members))
	if !start.IsZero() && len(members) == 2 {
		ok, err := premise.FeasibleIn(v.StateAt(start), members, 2)
		c.Premise(ok, err, "room for both")
	}
	said := "nothing said"
	if g := v.Gang("g"); g != nil {
		if cond, ok := history.Latest(g.Satisfied); ok {
			said = cond.Status + ", " + cond.Reason
		}
	}
	return []suites.Finding{c.About(to, kit.Objects(members)...).Saw(
		fmt.Sprintf("%d of 2 bound; PodGroupInitiallyScheduled: %s", len(v.BoundAt("g", to)), said),
		"a gang that preempts with a member that never does, and room for both")}
}
