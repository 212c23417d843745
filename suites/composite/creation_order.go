package composite

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "composite-root-comes-last",
		Profile:      "composite",
		Summary:      "Pods are created before their gangs, gangs before their composite, and the root after all of them.",
		Requirements: []string{"CPG-017", "CPG-018"},
		Needs:        needs(slots(4)),
		Weight:       26,
		Drive:        driveRootComesLast,
		Judge:        judgeRootComesLast,
	})
	suites.Register(suites.Scenario{
		Name:         "composite-child-short-of-pods",
		Profile:      "composite",
		Summary:      "A composite needs both of its gangs, and one of them lacks a pod; then the pod comes.",
		Requirements: []string{"CPG-019"},
		Needs:        needs(slots(4)),
		Weight:       26,
		Drive:        driveChildShortOfPods,
		Judge:        judgeChildShortOfPods,
	})
}

func driveRootComesLast(ctx context.Context, env suites.Env) error {
	for _, name := range []string{"a", "b"} {
		if err := env.CreatePods(ctx, kit.Members(2, name, mainPool)...); err != nil {
			return err
		}
	}
	for _, name := range []string{"a", "b"} {
		if err := env.CreateGang(ctx, leaf("middle", name, 2)); err != nil {
			return err
		}
	}
	if err := createComposites(ctx, env, below("top", "middle", 2)); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "no root", "watched", 4); err != nil {
		return err
	}
	if err := createComposites(ctx, env, root("top", 1)); err != nil {
		return err
	}
	kit.AwaitMark(ctx, env, "all bound", 4, kit.All(kit.Bound("a", 2), kit.Bound("b", 2)))
	return ctx.Err()
}

func driveChildShortOfPods(ctx context.Context, env suites.Env) error {
	if err := createComposites(ctx, env, root("tree", 2)); err != nil {
		return err
	}
	if err := createLeaf(ctx, env, leaf("tree", "a", 2), 2); err != nil {
		return err
	}
	if err := createLeaf(ctx, env, leaf("tree", "b", 2), 1); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "one pod short", "watched", 4); err != nil {
		return err
	}
	if err := env.CreatePods(ctx, kit.Members(2, "b", mainPool)[1]); err != nil {
		return err
	}
	kit.AwaitMark(ctx, env, "all bound", 4, kit.All(kit.Bound("a", 2), kit.Bound("b", 2)))
	return ctx.Err()
}

func judgeRootComesLast(v *history.View) []suites.Finding {
	members := all(v, "a", "b")
	var appeared history.Stamp
	if c := v.Composite("top"); c != nil {
		appeared = c.Created
	}
	wait := kit.For(v, "CPG-017")
	from, to := wait.Watched("no root", "watched", 4)
	wait.Fits(from, members)
	wait.Premise(len(members) == 4, nil, "all pods exist")
	until := to
	if !appeared.IsZero() && appeared.Before(to) {
		until = appeared
	}

	start := kit.For(v, "CPG-018")
	tree(start, v, "top", 2)
	start.Fits(start.Mark("watched"), members)
	start.Premise(appeared.After(kit.LastCreated(members)), nil, "the root came after all pods")
	return []suites.Finding{
		none(wait, v, until, "although a composite above them does not exist", "a", "b"),
		counts(start, v, "all bound", map[string]int{"a": 2, "b": 2}),
	}
}

func judgeChildShortOfPods(v *history.View) []suites.Finding {
	const id = "CPG-019"
	wait := kit.For(v, id)
	tree(wait, v, "tree", 2)
	from, to := wait.Watched("one pod short", "watched", 4)
	wait.Fits(from, kit.CreatedUpTo(v, "a", from))
	wait.Premise(len(kit.CreatedUpTo(v, "b", to)) == 1, nil, "one gang lacked a pod")

	start := kit.For(v, id)
	tree(start, v, "tree", 2)
	start.Fits(start.Mark("watched"), all(v, "a", "b"))
	return []suites.Finding{
		none(wait, v, to, "although one of two needed gangs lacks a pod", "a", "b"),
		counts(start, v, "all bound", map[string]int{"a": 2, "b": 2}),
	}
}
