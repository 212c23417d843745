package composite

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "composite-basic-parent",
		Profile:      "composite",
		Summary:      "Under a composite with the basic policy one gang fits and another, created first, does not.",
		Requirements: []string{"CPG-005"},
		Needs:        needs(slots(3)),
		Weight:       30,
		Drive:        driveBasicParent,
		Judge:        judgeBasicParent,
	})
	suites.Register(suites.Scenario{
		Name:         "composite-basic-child",
		Profile:      "composite",
		Summary:      "A composite needs both a gang and a group with the basic policy that fits in part.",
		Requirements: []string{"CPG-006"},
		Needs:        needs(slots(3)),
		Weight:       1,
		Drive:        driveBasicChild,
		Judge:        judgeBasicChild,
	})
}

func driveBasicParent(ctx context.Context, env suites.Env) error {
	env.Mark(ctx, "ready")
	if err := createComposites(ctx, env, root("tree", 0)); err != nil {
		return err
	}
	if err := createLeaf(ctx, env, leaf("tree", "large", 4), 4); err != nil {
		return err
	}
	if err := createLeaf(ctx, env, leaf("tree", "small", 2), 2); err != nil {
		return err
	}
	env.Await(ctx, "the small gang is bound", kit.Patience(env, 6), kit.Bound("small", 2))
	return kit.Watch(ctx, env, "created", "watched", 6)
}

func driveBasicChild(ctx context.Context, env suites.Env) error {
	env.Mark(ctx, "ready")
	if err := createComposites(ctx, env, root("tree", 2)); err != nil {
		return err
	}
	if err := createLeaf(ctx, env, leaf("tree", "gang", 2), 2); err != nil {
		return err
	}
	// Children of one second are tried in the order of their names, so what the basic child may take is bounded.
	basic := kit.Members(2, "basic", mainPool)
	basic[1].Shape.GPUs = 2
	if err := kit.CreateGang(ctx, env, leaf("tree", "basic", 0), basic...); err != nil {
		return err
	}
	env.Await(ctx, "what fits is bound", env.Settle(4), kit.All(kit.Bound("gang", 2), kit.Bound("basic", 1)))
	env.Mark(ctx, "waited")
	return ctx.Err()
}

func judgeBasicParent(v *history.View) []suites.Finding {
	c := kit.For(v, "CPG-005")
	tree(c, v, "tree", 2)
	ready := c.Mark("ready")
	c.Fits(ready, v.Members("small"))
	c.ShortWithin(ready, v.Members("large"), "", "", 4)
	c.Watched("created", "watched", 6)
	return []suites.Finding{counts(c, v, "watched", map[string]int{"small": 2, "large": 0})}
}

func judgeBasicChild(v *history.View) []suites.Finding {
	c := kit.For(v, "CPG-006")
	tree(c, v, "tree", 2)
	c.RoomFor(c.Mark("ready"), all(v, "gang", "basic"), 3)
	at := c.Mark("waited")
	value := "the tree is not bound"
	if n := len(standing(v, at, "gang", "basic")); n > 0 {
		value = "the tree is bound as far as it fits"
		c.Premise(n == 3, nil, "three pods are bound (seen: %d)", n)
	}
	return []suites.Finding{c.Saw(value, "a gang composite with a basic child of which one of two pods fits")}
}
