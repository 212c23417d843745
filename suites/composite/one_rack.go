package composite

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "composite-in-one-rack",
		Profile:      "composite",
		Summary:      "A composite demands one rack for its two gangs, and only the second rack takes both.",
		Requirements: []string{"CPG-024"},
		Needs:        needs(racks(2, 4)),
		Weight:       1,
		Drive:        driveInOneRack,
		Judge:        judgeInOneRack,
	})
	suites.Register(suites.Scenario{
		Name:         "composite-no-rack-for-all",
		Profile:      "composite",
		Summary:      "A composite demands one rack for two gangs that fit into a rack each, but not into one together.",
		Requirements: []string{"CPG-025"},
		Needs:        needs(racks(2, 3)),
		Weight:       26,
		Drive:        driveNoRackForAll,
		Judge:        judgeNoRackForAll,
	})
	suites.Register(suites.Scenario{
		Name:         "composite-late-child-in-its-rack",
		Profile:      "composite",
		Summary:      "A second gang comes when its tree's rack is full and another is empty; then its rack has room again.",
		Requirements: []string{"CPG-031", "CPG-039"},
		Needs:        needs(racks(2, 4)),
		Weight:       28,
		Drive:        driveLateChildInItsRack,
		Judge:        judgeLateChildInItsRack,
	})
}

// rackRoot is a root that demands one rack.
func rackRoot(env suites.Env, minimum int) build.Composite {
	c := root("tree", minimum)
	c.TopologyKey = env.Pool(mainPool).Spec().RackKey
	return c
}

func driveInOneRack(ctx context.Context, env suites.Env) error {
	if _, err := fill(ctx, env, "taken", "", rack(env, 0)[0]); err != nil {
		return err
	}
	env.Mark(ctx, "ready")
	if err := pair(ctx, env, rackRoot(env, 2)); err != nil {
		return err
	}
	kit.AwaitMark(ctx, env, "all bound", 4, kit.All(kit.Bound("a", 2), kit.Bound("b", 2)))
	return ctx.Err()
}

func driveNoRackForAll(ctx context.Context, env suites.Env) error {
	if err := pair(ctx, env, rackRoot(env, 2)); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "created", "watched", 4)
}

func driveLateChildInItsRack(ctx context.Context, env suites.Env) error {
	other, err := fill(ctx, env, "other", "", rack(env, 1)...)
	if err != nil {
		return err
	}
	own, err := fill(ctx, env, "own", "", rack(env, 0)[2:]...)
	if err != nil {
		return err
	}
	if err := createComposites(ctx, env, rackRoot(env, 1)); err != nil {
		return err
	}
	if err := createLeaf(ctx, env, leaf("tree", "a", 2), 2); err != nil {
		return err
	}
	if !kit.AwaitBound(ctx, env, "first child bound", "a", 2) {
		return ctx.Err()
	}
	if err := kit.Vacate(ctx, env, other...); err != nil {
		return err
	}
	if err := createLeaf(ctx, env, leaf("tree", "b", 2), 2); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "own rack full", "watched", 4); err != nil {
		return err
	}
	if err := kit.Vacate(ctx, env, own...); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "all bound", "b", 2)
	return ctx.Err()
}

// keyOf is the topology key of a composite; empty where there is none.
func keyOf(v *history.View, name string) string {
	if c := v.Composite(name); c != nil {
		return c.TopologyKey
	}
	return ""
}

func judgeInOneRack(v *history.View) []suites.Finding {
	c := kit.For(v, "CPG-024")
	tree(c, v, "tree", 2)
	key, members := keyOf(v, "tree"), all(v, "a", "b")
	c.Premise(key != "", nil, "the composite demands a rack")
	c.FitsWithin(c.Mark("ready"), members, key, "", 4)
	at := c.Mark("all bound")
	bound := standing(v, at, "a", "b")
	in := kit.DomainsOf(v, bound, key)
	return []suites.Finding{c.About(at, kit.Objects(bound)...).Holds(len(bound) == 4 && len(in) == 1 && in[0] != "",
		"%d pods are bound in the racks %q; expected 4 in one", len(bound), in)}
}

func judgeNoRackForAll(v *history.View) []suites.Finding {
	c := kit.For(v, "CPG-025")
	tree(c, v, "tree", 2)
	key, members := keyOf(v, "tree"), all(v, "a", "b")
	c.Premise(key != "", nil, "the composite demands a rack")
	from, to := c.Watched("created", "watched", 4)
	c.Fits(from, members)
	c.ShortWithin(from, members, key, "", 4)
	c.FitsWithin(from, v.Members("a"), key, "", 2)
	return []suites.Finding{none(c, v, to, "although no rack takes the gangs together", "a", "b")}
}

func judgeLateChildInItsRack(v *history.View) []suites.Finding {
	key, late := keyOf(v, "tree"), v.Members("b")
	opened := func(id string) (*kit.Case, string) {
		c := kit.For(v, id)
		tree(c, v, "tree", 2)
		in := kit.DomainsOf(v, v.BoundAt("a", c.Mark("first child bound")), key)
		c.Premise(len(in) == 1 && in[0] != "", nil, "the first child stands in one rack (%q)", in)
		if len(in) != 1 {
			return c, ""
		}
		return c, in[0]
	}
	wait, home := opened("CPG-039")
	from, to := wait.Watched("own rack full", "watched", 4)
	wait.FitsWithin(from, late, key, "", 2)
	wait.ShortWithin(from, late, key, home, 2)

	join, home := opened("CPG-031")
	at := join.Mark("all bound")
	join.FitsWithin(at, late, key, home, 2)
	bound := v.BoundAt("b", at)
	in := kit.DomainsOf(v, bound, key)
	return []suites.Finding{
		none(wait, v, to, "although the rack of their tree was full", "b"),
		join.About(at, kit.Objects(bound)...).Holds(len(bound) == 2 && len(in) == 1 && in[0] == home,
			"%d pods of the late child are bound in the racks %q; expected 2 in %q", len(bound), in, home),
	}
}
