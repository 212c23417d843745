package gang

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "gang-member-of-other-priority",
		Profile:      "gang",
		Summary:      "One member has another priority than its gang; later it is replaced by one that agrees.",
		Requirements: []string{"GANG-031", "GANG-035"},
		Needs:        withClasses(needs(single(mainPool, 3)), map[string]int32{"one": 1000, "other": 900}),
		Weight:       36,
		Drive:        driveOtherPriority,
		Judge:        judgeOtherPriority,
	})
}

func driveOtherPriority(ctx context.Context, env suites.Env) error {
	n, err := slots(env, mainPool, 2)
	if err != nil {
		return err
	}
	members := kit.Members(n+1, "g", mainPool)
	for i := range members {
		members[i].PriorityClass = env.PriorityClass("one")
	}
	members[0].PriorityClass = env.PriorityClass("other")
	g := build.Gang{Name: "g", Quorum: int32(n), PriorityClass: env.PriorityClass("one")}
	if err := kit.CreateGang(ctx, env, g, members[:n]...); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "one differs", "watched", n); err != nil {
		return err
	}
	if err := kit.Vacate(ctx, env, members[0].Name); err != nil {
		return err
	}
	env.Mark(ctx, "odd one gone")
	if err := env.CreatePods(ctx, members[n]); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "all bound", "g", n)
	return ctx.Err()
}

func judgeOtherPriority(v *history.View) []suites.Finding {
	n := kit.Quorum(v, "g")

	block := kit.For(v, "GANG-031")
	from, to := block.Watched("one differs", "watched", n)
	first := kit.CreatedUpTo(v, "g", from)
	block.Premise(len(first) == n && differing(v, "g", first) == 1, nil, "one of %d members has another priority than its gang", n)
	block.Fits(from, first)

	mend := kit.For(v, "GANG-035")
	gone := mend.Mark("odd one gone")
	alive := kit.AliveAfter(v, "g", gone)
	mend.Premise(len(alive) == n && differing(v, "g", alive) == 0, nil, "a member of the gang's priority took the place of the odd one")
	mend.Fits(gone, alive)
	return []suites.Finding{
		block.None("g", history.Stamp{}, to, "while one had another priority than its gang"),
		mend.Counts("all bound", "g", n),
	}
}

// differing counts the pods whose priority is not their gang's.
func differing(v *history.View, gang string, pods []*history.Pod) int {
	g, n := v.Gang(gang), 0
	for _, p := range pods {
		if g != nil && p.Priority != g.Priority {
			n++
		}
	}
	return n
}
