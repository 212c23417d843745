package gang

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
		Name:         "gang-priority-wins-at-rest",
		Profile:      "gang",
		Summary:      "Two gangs of different priority wait for room that only one of them can have.",
		Requirements: []string{"GANG-054"},
		Needs:        withClasses(needs(single(mainPool, 3)), map[string]int32{"low": 100, "high": 200, "top": 300}),
		Weight:       5,
		Drive:        drivePriorityAtRest,
		Judge:        judgePriorityAtRest,
	})
}

func drivePriorityAtRest(ctx context.Context, env suites.Env) error {
	n, err := slots(env, mainPool, 2)
	if err != nil {
		return err
	}
	// What takes the room has the highest priority of all, so that only its own end makes room.
	taken, err := kit.Occupy(ctx, env, mainPool, "taken", env.PriorityClass("top"), n)
	if err != nil {
		return err
	}
	for _, g := range []string{"low", "high"} {
		class := env.PriorityClass(g)
		member := kit.Member(g, mainPool)
		member.PriorityClass = class
		gang := build.Gang{Name: g, Quorum: int32(n), PriorityClass: class}
		if err := kit.CreateGang(ctx, env, gang, build.Replicas(n, member)...); err != nil {
			return err
		}
	}
	kit.AwaitTried(ctx, env, "low", n)
	kit.AwaitTried(ctx, env, "high", n)
	env.Mark(ctx, "both wait")
	if err := kit.Vacate(ctx, env, taken...); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "at rest", "high", n)
	return ctx.Err()
}

func judgePriorityAtRest(v *history.View) []suites.Finding {
	n := kit.Quorum(v, "high")
	c := kit.For(v, "GANG-054")
	waiting := c.Mark("both wait")
	both := append(slices.Clone(c.Exist("high", n)), c.Exist("low", n)...)
	c.RoomFor(waiting, both, 0)
	rest := c.Mark("at rest")
	c.RoomFor(rest, both, n)
	low, high := v.Gang("low"), v.Gang("high")
	c.Premise(low != nil && high != nil && high.Priority > low.Priority, nil, "one gang has the higher priority")
	return []suites.Finding{c.Counts("at rest", "high", n)}
}
