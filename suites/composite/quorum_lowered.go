package composite

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "composite-quorum-lowered",
		Profile:      "composite",
		Summary:      "A composite needs both of its gangs, and one of them lacks a pod; its quorum is lowered to the pods it has.",
		Requirements: []string{"CPG-051"},
		Needs:        needs(slots(3)),
		Weight:       3,
		Drive:        driveQuorumLowered,
		Judge:        judgeQuorumLowered,
	})
}

func driveQuorumLowered(ctx context.Context, env suites.Env) error {
	if err := createComposites(ctx, env, root("tree", 2)); err != nil {
		return err
	}
	if err := createLeaf(ctx, env, leaf("tree", "a", 2), 2); err != nil {
		return err
	}
	if err := createLeaf(ctx, env, leaf("tree", "b", 2), 1); err != nil {
		return err
	}
	// Long enough for the scheduler to have seen the tree as it is; the settle bound is composite-child-short-of-pods' matter.
	env.Hold(ctx, "the tree is seen one pod short", glance)
	env.Mark(ctx, "one pod short")
	if err := env.SetQuorum(ctx, "b", 1); err != nil {
		return err
	}
	kit.AwaitMark(ctx, env, "all bound", 3, kit.All(kit.Bound("a", 2), kit.Bound("b", 1)))
	return ctx.Err()
}

func judgeQuorumLowered(v *history.View) []suites.Finding {
	lowered := kit.QuorumChange(v, "b")
	judged := func() *kit.Case {
		c := kit.For(v, "CPG-051")
		tree(c, v, "tree", 2)
		short := c.Mark("one pod short")
		c.Fits(short, all(v, "a", "b"))
		c.Premise(len(kit.CreatedUpTo(v, "a", short)) == 2 && len(kit.CreatedUpTo(v, "b", short)) == 1, nil, "one gang was complete and the other lacked a pod")
		c.Premise(!lowered.IsZero() && lowered.After(short) && kit.Quorum(v, "b") == 1, nil, "the quorum of the gang that lacked a pod was lowered to the one it had")
		return c
	}
	return []suites.Finding{
		none(judged(), v, lowered, "before the quorum of the child that lacked a pod was lowered", "a", "b"),
		counts(judged(), v, "all bound", map[string]int{"a": 2, "b": 1}),
	}
}
