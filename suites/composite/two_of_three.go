package composite

import (
	"context"
	"strings"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "composite-two-of-three",
		Profile:      "composite",
		Summary:      "A composite needs two of its three gangs; there is room for two and a half, then for all.",
		Requirements: []string{"CPG-003", "CPG-013", "CPG-054"},
		Needs:        needs(slots(5)),
		Weight:       32,
		Drive:        driveTwoOfThree,
		Judge:        judgeTwoOfThree,
	})
	suites.Register(suites.Scenario{
		Name:         "composite-three-fit",
		Profile:      "composite",
		Summary:      "A composite needs two of its three gangs, and all three fit.",
		Requirements: []string{"CPG-004"},
		Needs:        needs(slots(6)),
		Weight:       1,
		Drive:        driveThreeFit,
		Judge:        judgeThreeFit,
	})
}

func three(ctx context.Context, env suites.Env) error {
	if err := pair(ctx, env, root("tree", 2)); err != nil {
		return err
	}
	return createLeaf(ctx, env, leaf("tree", "c", 2), 2)
}

func driveTwoOfThree(ctx context.Context, env suites.Env) error {
	env.Mark(ctx, "ready")
	if err := three(ctx, env); err != nil {
		return err
	}
	env.Await(ctx, "two are bound", kit.Patience(env, 6), func(v *history.View) bool {
		return len(standing(v, v.Now(), "a", "b", "c")) >= 4
	})
	if err := kit.Watch(ctx, env, "room for two", "watched", 6); err != nil {
		return err
	}
	if err := env.AddNodes(ctx, mainPool, 1); err != nil {
		return err
	}
	kit.AwaitMark(ctx, env, "all bound", 6, kit.All(kit.Bound("a", 2), kit.Bound("b", 2), kit.Bound("c", 2)))
	return ctx.Err()
}

func driveThreeFit(ctx context.Context, env suites.Env) error {
	env.Mark(ctx, "ready")
	if err := three(ctx, env); err != nil {
		return err
	}
	kit.AwaitMark(ctx, env, "all bound", 6, kit.All(kit.Bound("a", 2), kit.Bound("b", 2), kit.Bound("c", 2)))
	return ctx.Err()
}

func judgeTwoOfThree(v *history.View) []suites.Finding {
	members := all(v, "a", "b", "c")
	two := kit.For(v, "CPG-003")
	tree(two, v, "tree", 3)
	two.RoomFor(two.Mark("ready"), members, 5)
	_, to := two.Watched("room for two", "watched", 6)
	whole, half := 0, 0
	for _, g := range []string{"a", "b", "c"} {
		switch len(v.BoundAt(g, to)) {
		case 2:
			whole++
		case 1:
			half++
		}
	}

	later := kit.For(v, "CPG-013")
	tree(later, v, "tree", 3)
	later.Premise(len(standing(v, later.Mark("watched"), "a", "b", "c")) == 4, nil, "two gangs ran")
	later.Fits(later.Mark("all bound"), members)
	return []suites.Finding{
		two.About(to, kit.Objects(standing(v, to, "a", "b", "c"))...).Holds(whole == 2 && half == 0,
			"%d gangs are bound whole and %d in part; expected two whole and none in part", whole, half),
		counts(later, v, "all bound", map[string]int{"a": 2, "b": 2, "c": 2}),
		judgeLeftOut(v),
	}
}

// judgeLeftOut: which of the children has to wait.
func judgeLeftOut(v *history.View) suites.Finding {
	c := kit.For(v, "CPG-054")
	tree(c, v, "tree", 3)
	_, to := c.Watched("room for two", "watched", 6)
	var out []string
	for i, g := range []string{"a", "b", "c"} {
		if i > 0 {
			before, after := v.Gang(string(g[0]-1)), v.Gang(g)
			c.Premise(before != nil && after != nil && after.Created.After(before.Created), nil, "group %s was created after the one before it", g)
		}
		if len(v.BoundAt(g, to)) == 0 {
			out = append(out, []string{"the first", "the second", "the third"}[i])
		}
	}
	c.Premise(len(out) == 1, nil, "one of three children is left out (left out: %d)", len(out))
	return c.About(to).Saw(strings.Join(out, ", "), "which of three children was left out, in their order of creation")
}

func judgeThreeFit(v *history.View) []suites.Finding {
	c := kit.For(v, "CPG-004")
	tree(c, v, "tree", 3)
	c.Fits(c.Mark("ready"), all(v, "a", "b", "c"))
	return []suites.Finding{counts(c, v, "all bound", map[string]int{"a": 2, "b": 2, "c": 2})}
}
