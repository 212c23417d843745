package composite

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "composite-one-of-two-fits",
		Profile:      "composite",
		Summary:      "A composite that needs both of its gangs is short of one slot; then a node joins.",
		Requirements: []string{"CPG-002", "CPG-016"},
		Needs:        needs(slots(3)),
		Weight:       28,
		Drive:        driveOneOfTwoFits,
		Judge:        judgeOneOfTwoFits,
	})
}

func driveOneOfTwoFits(ctx context.Context, env suites.Env) error {
	if err := pair(ctx, env, root("tree", 2)); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "one slot short", "watched", 4); err != nil {
		return err
	}
	if err := env.AddNodes(ctx, mainPool, 1); err != nil {
		return err
	}
	kit.AwaitMark(ctx, env, "all bound", 4, kit.All(kit.Bound("a", 2), kit.Bound("b", 2)))
	return ctx.Err()
}

func judgeOneOfTwoFits(v *history.View) []suites.Finding {
	members := all(v, "a", "b")
	wait := kit.For(v, "CPG-002")
	tree(wait, v, "tree", 2)
	from, to := wait.Watched("one slot short", "watched", 4)
	wait.ShortByOne(from, members)
	wait.NeverRoom(from, to, members, 4)

	later := kit.For(v, "CPG-016")
	tree(later, v, "tree", 2)
	later.Mark("watched")
	later.Fits(later.Mark("all bound"), members)
	return []suites.Finding{
		none(wait, v, to, "although only one of two needed gangs fits", "a", "b"),
		counts(later, v, "all bound", map[string]int{"a": 2, "b": 2}),
	}
}
