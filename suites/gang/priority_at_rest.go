package gang

import (
	"context"
	"slices"
	"time"

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
		Needs: withClasses(needs(single("low-first", 3), single("high-first", 3)),
			map[string]int32{"low": 100, "high": 200, "top": 300}),
		Weight: 10,
		Drive:  drivePriorityAtRest,
		Judge:  judgePriorityAtRest,
	})
}

// priorityPools are two pools for which two gangs wait each. In one the gang of lower priority is created first, in the
// other last, and its name always sorts first: a scheduler that goes by age, by name, or by the reverse of one of them
// gets at most one of them right.
var priorityPools = []struct{ pool, first, second string }{
	{"low-first", "low", "high"},
	{"high-first", "high", "low"},
}

// rival names the gang of a class that waits for a pool. Of two in a pool the lower one's name sorts first.
func rival(class, pool string) string {
	return map[string]string{"low": "a", "high": "z"}[class] + "-" + class + "-" + pool
}

func drivePriorityAtRest(ctx context.Context, env suites.Env) error {
	room := map[string]int{}
	var taken []string
	for _, p := range priorityPools {
		n, err := slots(env, p.pool, 2)
		if err != nil {
			return err
		}
		room[p.pool] = n
		// What takes the room has the highest priority of all, so that only its own end makes room.
		names, err := kit.Occupy(ctx, env, p.pool, "taken-"+p.pool, env.PriorityClass("top"), n)
		if err != nil {
			return err
		}
		taken = append(taken, names...)
	}
	for _, p := range priorityPools {
		for _, class := range []string{p.first, p.second} {
			member := kit.Member(rival(class, p.pool), p.pool)
			member.PriorityClass = env.PriorityClass(class)
			g := build.Gang{Name: member.Gang, Quorum: int32(room[p.pool]), PriorityClass: member.PriorityClass}
			if err := kit.CreateGang(ctx, env, g, build.Replicas(room[p.pool], member)...); err != nil {
				return err
			}
			// The next gang is a second younger at least: ages have whole seconds.
			env.Hold(ctx, "let the next gang be younger", 1100*time.Millisecond)
		}
	}
	for _, p := range priorityPools {
		kit.AwaitTried(ctx, env, rival("low", p.pool), room[p.pool])
		kit.AwaitTried(ctx, env, rival("high", p.pool), room[p.pool])
	}
	env.Mark(ctx, "both wait")
	if err := kit.Vacate(ctx, env, taken...); err != nil {
		return err
	}
	for _, p := range priorityPools {
		kit.AwaitBound(ctx, env, "at rest in "+p.pool, rival("high", p.pool), room[p.pool])
	}
	return ctx.Err()
}

func judgePriorityAtRest(v *history.View) []suites.Finding {
	var out []suites.Finding
	for _, p := range priorityPools {
		low, high := rival("low", p.pool), rival("high", p.pool)
		n := kit.Quorum(v, high)
		c := kit.For(v, "GANG-054")
		waiting := c.Mark("both wait")
		both := append(slices.Clone(c.Exist(high, n)), c.Exist(low, n)...)
		c.RoomFor(waiting, both, 0)
		rest := c.Mark("at rest in " + p.pool)
		c.RoomFor(rest, both, n)
		l, h := v.Gang(low), v.Gang(high)
		c.Premise(l != nil && h != nil && h.Priority > l.Priority, nil, "one gang has the higher priority")
		out = append(out, c.Counts("at rest in "+p.pool, high, n))
	}
	return out
}
