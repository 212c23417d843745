package composite

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "composite-victim-as-a-whole",
		Profile:      "composite",
		Summary:      "A pod of high priority needs one node of a tree that is only disrupted as a whole.",
		Requirements: []string{"CPG-034"},
		Needs:        withClasses(needs(slots(4))),
		Weight:       4,
		Drive:        driveVictim(true),
		Judge:        judgeVictimWhole,
	})
	suites.Register(suites.Scenario{
		Name:         "composite-victim-by-child",
		Profile:      "composite",
		Summary:      "A pod of high priority needs one node of a tree whose gangs are disrupted independently of each other.",
		Requirements: []string{"CPG-035"},
		Needs:        withClasses(needs(slots(4))),
		Weight:       22,
		Drive:        driveVictim(false),
		Judge:        judgeVictimByChild,
	})
}

func driveVictim(whole bool) func(context.Context, suites.Env) error {
	return func(ctx context.Context, env suites.Env) error {
		c := root("tree", 2)
		c.PriorityClass, c.DisruptAll = "low", whole
		if err := createComposites(ctx, env, c); err != nil {
			return err
		}
		for _, name := range []string{"a", "b"} {
			g := leaf("tree", name, 2)
			g.PriorityClass, g.DisruptAll = "low", true
			if err := createLeaf(ctx, env, g, 2); err != nil {
				return err
			}
		}
		if !kit.AwaitMark(ctx, env, "running", 4, kit.All(kit.Bound("a", 2), kit.Bound("b", 2))) {
			return ctx.Err()
		}
		high := kit.Plain("high", mainPool)
		high.PriorityClass = "high"
		if err := env.CreatePods(ctx, high); err != nil {
			return err
		}
		kit.AwaitMark(ctx, env, "high bound", 1, kit.PodsBound("high"))
		if whole {
			env.Await(ctx, "all victims are gone", env.Settle(1), func(v *history.View) bool {
				return len(kit.DisturbedBetween(all(v, "a", "b"), history.Stamp{}, v.Now())) == 4
			})
			env.Mark(ctx, "after")
			return ctx.Err()
		}
		return kit.Watch(ctx, env, "settling", "after", 1)
	}
}

// victims are the pods of the tree that were disturbed, by gang.
func victims(c *kit.Case, v *history.View) (hit map[string]int, at history.Stamp) {
	tree(c, v, "tree", 2)
	run := c.Mark("running")
	c.Premise(len(standing(v, run, "a", "b")) == 4, nil, "the whole tree ran")
	c.ShortWithin(run, kit.Named(v, "high"), "", "", 1)
	at = c.Mark("after")
	hit = map[string]int{}
	for _, p := range kit.DisturbedBetween(all(v, "a", "b"), run, at) {
		hit[p.Gang]++
	}
	return hit, at
}

func judgeVictimWhole(v *history.View) []suites.Finding {
	c := kit.For(v, "CPG-034")
	hit, at := victims(c, v)
	c.Premise(hit["a"]+hit["b"] > 0, nil, "somebody was preempted")
	return []suites.Finding{c.About(at).Holds(hit["a"] == 2 && hit["b"] == 2,
		"%d of 2 and %d of 2 pods of a tree that is only disrupted as a whole were evicted; expected all", hit["a"], hit["b"])}
}

func judgeVictimByChild(v *history.View) []suites.Finding {
	c := kit.For(v, "CPG-035")
	hit, at := victims(c, v)
	done := c.Mark("high bound")
	high := kit.Named(v, "high")
	c.Watched("settling", "after", 1)
	ok := len(high) == 1 && !high[0].Bound.After(done) && hit["a"]+hit["b"] == 2 && hit["a"]*hit["b"] == 0
	return []suites.Finding{c.About(at, kit.Objects(high)...).Holds(ok,
		"%d of 2 and %d of 2 pods of the gangs were evicted for a pod that needs one node; expected one gang whole, the other not, and the pod bound", hit["a"], hit["b"])}
}
