package basic

import (
	"context"
	"fmt"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	n := needs(2)
	n.PriorityClasses = map[string]int32{"one": 1000, "other": 900}
	suites.Register(suites.Scenario{
		Name:         "basic-member-of-other-priority",
		Profile:      "basic",
		Summary:      "One member has another priority than its basic group.",
		Requirements: []string{"BASIC-006"},
		Needs:        n,
		Weight:       20,
		Drive:        driveOtherPriority,
		Judge:        judgeOtherPriority,
	})
}

func driveOtherPriority(ctx context.Context, env suites.Env) error {
	n, err := slots(env, 2)
	if err != nil {
		return err
	}
	pods := members(n)
	for i := range pods {
		pods[i].PriorityClass = env.PriorityClass("one")
	}
	pods[0].PriorityClass = env.PriorityClass("other")
	g := basicGroup()
	g.PriorityClass = env.PriorityClass("one")
	if err := kit.CreateGang(ctx, env, g, pods...); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "one differs", "watched", n)
}

func judgeOtherPriority(v *history.View) []suites.Finding {
	all := v.Members(group)
	c := kit.For(v, "BASIC-006")
	from, to := c.Watched("one differs", "watched", len(all))
	c.Fits(from, all)
	g := v.Gang(group)
	same, bound, odd := 0, 0, "waits"
	for _, p := range all {
		switch {
		case g == nil: // said below
		case p.Priority == g.Priority:
			same++
			if p.BoundAt(to) {
				bound++
			}
		case p.BoundAt(to):
			odd = "is bound"
		}
	}
	c.Premise(g != nil && same >= 1 && same == len(all)-1, nil, "one member had another priority than its group")
	return []suites.Finding{c.About(to, kit.Objects(all)...).Saw(
		fmt.Sprintf("%d of %d members of its priority bound; the other %s", bound, same, odd),
		"what becomes of a basic group with a member of another priority")}
}
