package gang

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

// oneValue is the priority of the gang and of all its members.
const oneValue = 1000

func init() {
	suites.Register(suites.Scenario{
		Name:         "gang-member-of-other-policy",
		Profile:      "gang",
		Summary:      "One member has its gang's priority, but the preemption policy Never where the gang's is PreemptLowerPriority.",
		Requirements: []string{"GANG-032"},
		Needs:        withClasses(needs(single(mainPool, 3)), map[string]int32{"one": oneValue}),
		Weight:       22,
		Drive:        driveOtherPolicy,
		Judge:        judgeOtherPolicy,
	})
}

var priorityClasses = schema.GroupVersionResource{Group: "scheduling.k8s.io", Version: "v1", Resource: "priorityclasses"}

func driveOtherPolicy(ctx context.Context, env suites.Env) error {
	n, err := slots(env, mainPool, 2)
	if err != nil {
		return err
	}
	never, polite := corev1.PreemptNever, env.Namespace()+"-polite"
	if err := kit.Create(ctx, env, priorityClasses, build.PriorityClass(polite, oneValue, &never)); err != nil {
		return err
	}
	members := kit.Members(n, "g", mainPool)
	for i := range members {
		members[i].PriorityClass = env.PriorityClass("one")
	}
	members[0].PriorityClass = polite
	g := build.Gang{Name: "g", Quorum: int32(n), PriorityClass: env.PriorityClass("one")}
	if err := kit.CreateGang(ctx, env, g, members...); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "one differs", "watched", n)
}

func judgeOtherPolicy(v *history.View) []suites.Finding {
	c := kit.For(v, "GANG-032")
	n := kit.Quorum(v, "g")
	from, to := c.Watched("one differs", "watched", n)
	members := kit.CreatedUpTo(v, "g", from)
	polite := 0
	for _, p := range members {
		if policy := p.First.Spec.PreemptionPolicy; policy != nil && *policy == corev1.PreemptNever {
			polite++
		}
	}
	c.Premise(len(members) == n && polite == 1 && differing(v, "g", members) == 0, nil,
		"one of %d members never preempts, and all have the gang's priority", n)
	c.Fits(from, members)
	return []suites.Finding{c.Saw(
		fmt.Sprintf("%d of %d members bound; %s", len(kit.BoundBetween(v, "g", history.Stamp{}, to)), n, conditions(v.Gang("g"), to)),
		"what becomes of a gang with a member of another preemption policy")}
}
