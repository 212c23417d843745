package composite

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "composite-late-child",
		Profile:      "composite",
		Summary:      "A third gang is created under a composite whose two gangs run.",
		Requirements: []string{"CPG-020"},
		Needs:        needs(slots(6)),
		Weight:       1,
		Drive:        driveLateChild,
		Judge:        judgeLateChild,
	})
	suites.Register(suites.Scenario{
		Name:         "composite-member-replaced",
		Profile:      "composite",
		Summary:      "A pod of a running tree is deleted and comes again; its sibling gang runs all the while.",
		Requirements: []string{"CPG-021"},
		Needs:        needs(slots(4)),
		Weight:       2,
		Drive:        driveMemberReplaced,
		Judge:        judgeMemberReplaced,
	})
	suites.Register(suites.Scenario{
		Name:         "composite-root-deleted",
		Profile:      "composite",
		Summary:      "The roots of a running and of a waiting tree are deleted; then there is room for the waiting one.",
		Requirements: []string{"CPG-022", "CPG-023"},
		Needs:        needs(slots(7)),
		Weight:       33,
		Drive:        driveRootDeleted,
		Judge:        judgeRootDeleted,
	})
}

func running(ctx context.Context, env suites.Env) (bool, error) {
	if err := pair(ctx, env, root("tree", 2)); err != nil {
		return false, err
	}
	ok := kit.AwaitMark(ctx, env, "running", 4, kit.All(kit.Bound("a", 2), kit.Bound("b", 2)))
	return ok, ctx.Err()
}

func driveLateChild(ctx context.Context, env suites.Env) error {
	if ok, err := running(ctx, env); !ok {
		return err
	}
	if err := createLeaf(ctx, env, leaf("tree", "c", 2), 2); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "late child bound", "c", 2)
	return ctx.Err()
}

func driveMemberReplaced(ctx context.Context, env suites.Env) error {
	if ok, err := running(ctx, env); !ok {
		return err
	}
	if err := kit.Vacate(ctx, env, "b-1"); err != nil {
		return err
	}
	env.Mark(ctx, "member lost")
	if err := env.CreatePods(ctx, kit.Members(3, "b", mainPool)[2]); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "replaced", "b", 2)
	return ctx.Err()
}

func driveRootDeleted(ctx context.Context, env suites.Env) error {
	if ok, err := running(ctx, env); !ok {
		return err
	}
	if err := createComposites(ctx, env, root("waiting", 2)); err != nil {
		return err
	}
	for _, name := range []string{"c", "d"} {
		if err := createLeaf(ctx, env, leaf("waiting", name, 2), 2); err != nil {
			return err
		}
	}
	env.Await(ctx, "an attempt on the waiting tree", env.Settle(1), kit.Tried("d"))
	env.Mark(ctx, "waits")
	for _, name := range []string{"waiting", "tree"} {
		if err := env.DeleteComposite(ctx, name); err != nil {
			return err
		}
	}
	env.Await(ctx, "the roots are gone", env.Settle(1), func(v *history.View) bool {
		return gone(v, "waiting") && gone(v, "tree")
	})
	env.Mark(ctx, "roots gone")
	env.Hold(ctx, "the scheduler sees it", glance)
	if err := env.AddNodes(ctx, mainPool, 1); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "room", "watched", 4)
}

func gone(v *history.View, name string) bool {
	c := v.Composite(name)
	return c != nil && !c.Gone.IsZero()
}

func judgeLateChild(v *history.View) []suites.Finding {
	c := kit.For(v, "CPG-020")
	tree(c, v, "tree", 3)
	run := c.Mark("running")
	c.Premise(len(standing(v, run, "a", "b")) == 4, nil, "two gangs ran")
	c.Fits(run, v.Members("c"))
	return []suites.Finding{counts(c, v, "late child bound", map[string]int{"a": 2, "b": 2, "c": 2})}
}

func judgeMemberReplaced(v *history.View) []suites.Finding {
	c := kit.For(v, "CPG-021")
	tree(c, v, "tree", 2)
	lost := c.Mark("member lost")
	c.Premise(len(v.BoundAt("a", lost)) == 2 && len(v.BoundAt("b", lost)) == 1, nil, "one pod was lost and the others ran")
	c.Fits(lost, kit.Named(v, "b-2"))
	return []suites.Finding{counts(c, v, "replaced", map[string]int{"a": 2, "b": 2})}
}

func judgeRootDeleted(v *history.View) []suites.Finding {
	opened := func(id string) (c *kit.Case, waits, left history.Stamp) {
		c = kit.For(v, id)
		waits = c.Mark("waits")
		c.Premise(len(standing(v, waits, "a", "b")) == 4 && len(standing(v, waits, "c", "d")) == 0, nil, "one tree ran and the other waited")
		left = c.Mark("roots gone")
		c.Premise(gone(v, "tree") && gone(v, "waiting"), nil, "the roots are gone")
		return c, waits, left
	}
	wait, _, left := opened("CPG-022")
	from, to := wait.Watched("room", "watched", 4)
	wait.Fits(to, all(v, "c", "d"))
	wait.Premise(from.After(left), nil, "the room came after the roots had gone")
	var bound []*history.Pod
	for _, g := range []string{"c", "d"} {
		bound = append(bound, kit.BoundBetween(v, g, left, to)...)
	}
	keep, ran, _ := opened("CPG-023")
	_, to = keep.Watched("room", "watched", 4)
	return []suites.Finding{
		wait.About(to, kit.Objects(bound)...).Holds(len(bound) == 0, "%d pods were bound although their tree has no root any more; expected none", len(bound)),
		keep.Untouched(standing(v, ran, "a", "b"), ran, to, "after the root of their tree was deleted"),
	}
}
