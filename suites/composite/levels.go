package composite

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "composite-three-levels",
		Profile:      "composite",
		Summary:      "Under a root that needs one child, one branch lacks room for its second gang and another fits.",
		Requirements: []string{"CPG-007"},
		Needs:        needs(slots(5)),
		Weight:       42,
		Drive:        driveThreeLevels,
		Judge:        judgeThreeLevels,
	})
	suites.Register(suites.Scenario{
		Name:         "composite-four-levels",
		Profile:      "composite",
		Summary:      "A tree of four levels, the most there may be, finds room.",
		Requirements: []string{"CPG-008"},
		Needs:        needs(slots(4)),
		Weight:       1,
		Drive:        driveFourLevels,
		Judge:        judgeFourLevels,
	})
}

func driveThreeLevels(ctx context.Context, env suites.Env) error {
	env.Mark(ctx, "ready")
	if err := createComposites(ctx, env, root("tree", 1), below("tree", "broken", 2), below("tree", "whole", 1)); err != nil {
		return err
	}
	for _, g := range []struct {
		parent, name string
		n            int
	}{{"broken", "broken-small", 2}, {"broken", "broken-large", 6}, {"whole", "whole-small", 2}} {
		if err := createLeaf(ctx, env, leaf(g.parent, g.name, g.n), g.n); err != nil {
			return err
		}
	}
	env.Await(ctx, "the whole branch is bound", kit.Patience(env, 10), kit.Bound("whole-small", 2))
	return kit.Watch(ctx, env, "created", "watched", 10)
}

func driveFourLevels(ctx context.Context, env suites.Env) error {
	env.Mark(ctx, "ready")
	if err := createComposites(ctx, env, root("one", 1), below("one", "two", 1), below("two", "three", 2)); err != nil {
		return err
	}
	for _, name := range []string{"a", "b"} {
		if err := createLeaf(ctx, env, leaf("three", name, 2), 2); err != nil {
			return err
		}
	}
	kit.AwaitMark(ctx, env, "all bound", 4, kit.All(kit.Bound("a", 2), kit.Bound("b", 2)))
	return ctx.Err()
}

func judgeThreeLevels(v *history.View) []suites.Finding {
	c := kit.For(v, "CPG-007")
	tree(c, v, "tree", 3)
	ready := c.Mark("ready")
	c.Fits(ready, v.Members("broken-small"))
	c.Fits(ready, v.Members("whole-small"))
	c.ShortWithin(ready, v.Members("broken-large"), "", "", 6)
	c.Watched("created", "watched", 10)
	return []suites.Finding{counts(c, v, "watched", map[string]int{"whole-small": 2, "broken-small": 0, "broken-large": 0})}
}

func judgeFourLevels(v *history.View) []suites.Finding {
	c := kit.For(v, "CPG-008")
	tree(c, v, "one", 2)
	c.Fits(c.Mark("ready"), all(v, "a", "b"))
	return []suites.Finding{counts(c, v, "all bound", map[string]int{"a": 2, "b": 2})}
}
