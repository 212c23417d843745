package composite

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "composite-equal-names",
		Profile:      "composite",
		Summary:      "Under one root a gang and a composite have the same name.",
		Requirements: []string{"CPG-036"},
		Needs:        needs(slots(4)),
		Weight:       2,
		Drive:        driveEqualNames,
		Judge:        judgeEqualNames,
	})
	suites.Register(suites.Scenario{
		Name:         "composite-greedy-child",
		Profile:      "composite",
		Summary:      "The first gang of a tree has pods beyond its quorum that would take the room its sibling needs.",
		Requirements: []string{"CPG-037"},
		Needs:        needs(slots(3)),
		Weight:       20,
		Drive:        driveGreedyChild,
		Judge:        judgeGreedyChild,
	})
}

func driveEqualNames(ctx context.Context, env suites.Env) error {
	env.Mark(ctx, "ready")
	if err := createComposites(ctx, env, root("tree", 2), below("tree", "same", 1)); err != nil {
		return err
	}
	if err := createLeaf(ctx, env, leaf("tree", "same", 2), 2); err != nil {
		return err
	}
	if err := createLeaf(ctx, env, leaf("same", "inner", 2), 2); err != nil {
		return err
	}
	env.Await(ctx, "the tree is bound", env.Settle(4), kit.All(kit.Bound("same", 2), kit.Bound("inner", 2)))
	env.Mark(ctx, "waited")
	return ctx.Err()
}

func driveGreedyChild(ctx context.Context, env suites.Env) error {
	env.Mark(ctx, "ready")
	if err := createComposites(ctx, env, root("tree", 2)); err != nil {
		return err
	}
	if err := createLeaf(ctx, env, leaf("tree", "greedy", 1), 3); err != nil {
		return err
	}
	if err := createLeaf(ctx, env, leaf("tree", "modest", 2), 2); err != nil {
		return err
	}
	env.Await(ctx, "the tree is bound", env.Settle(2), kit.All(kit.Bound("greedy", 1), kit.Bound("modest", 2)))
	env.Mark(ctx, "waited")
	return ctx.Err()
}

func judgeEqualNames(v *history.View) []suites.Finding {
	c := kit.For(v, "CPG-036")
	tree(c, v, "tree", 2)
	tree(c, v, "same", 1)
	c.Fits(c.Mark("ready"), all(v, "same", "inner"))
	value := "the tree is not bound"
	if len(standing(v, c.Mark("waited"), "same", "inner")) == 4 {
		value = "the tree is bound"
	}
	return []suites.Finding{c.Saw(value, "a gang and a composite of one name under one composite, for which there is room")}
}

func judgeGreedyChild(v *history.View) []suites.Finding {
	c := kit.For(v, "CPG-037")
	tree(c, v, "tree", 2)
	c.RoomFor(c.Mark("ready"), all(v, "greedy", "modest"), 3)
	at := c.Mark("waited")
	value := "the tree is not bound"
	if len(v.BoundAt("greedy", at)) == 1 && len(v.BoundAt("modest", at)) == 2 {
		value = "the tree is bound with its quorums"
	}
	return []suites.Finding{c.Saw(value, "a tree that fits if its first gang is held to its quorum")}
}
