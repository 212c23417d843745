package composite

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "composite-zone-and-racks",
		Profile:      "composite",
		Summary:      "A composite demands one zone and its gangs one rack each; in the first zone only one rack has room.",
		Requirements: []string{"CPG-026"},
		Needs:        needs(racks(4, 2)),
		Weight:       1,
		Drive:        driveZoneAndRacks,
		Judge:        judgeZoneAndRacks,
	})
	suites.Register(suites.Scenario{
		Name:         "composite-racks-of-children",
		Profile:      "composite",
		Summary:      "The gangs of a composite without a constraint demand one rack each, and no rack takes both.",
		Requirements: []string{"CPG-027"},
		Needs:        needs(racks(2, 2)),
		Weight:       1,
		Drive:        driveRacksOfChildren,
		Judge:        judgeRacksOfChildren,
	})
}

func driveZoneAndRacks(ctx context.Context, env suites.Env) error {
	if _, err := fill(ctx, env, "taken", "", rack(env, 0)[0]); err != nil {
		return err
	}
	env.Mark(ctx, "ready")
	c := root("tree", 2)
	c.TopologyKey = env.Pool(mainPool).Spec().ZoneKey
	if err := createComposites(ctx, env, c); err != nil {
		return err
	}
	return rackedPair(ctx, env)
}

func driveRacksOfChildren(ctx context.Context, env suites.Env) error {
	env.Mark(ctx, "ready")
	if err := createComposites(ctx, env, root("tree", 2)); err != nil {
		return err
	}
	return rackedPair(ctx, env)
}

// rackedPair creates two gangs under the tree that demand one rack each, and waits.
func rackedPair(ctx context.Context, env suites.Env) error {
	for _, name := range []string{"a", "b"} {
		g := leaf("tree", name, 2)
		g.TopologyKey = env.Pool(mainPool).Spec().RackKey
		if err := createLeaf(ctx, env, g, 2); err != nil {
			return err
		}
	}
	kit.AwaitMark(ctx, env, "all bound", 4, kit.All(kit.Bound("a", 2), kit.Bound("b", 2)))
	return ctx.Err()
}

// judgeNested judges that at the mark both gangs are bound, each in one rack, and all within one domain of the root's
// key where it has one.
func judgeNested(c *kit.Case, v *history.View) suites.Finding {
	tree(c, v, "tree", 2)
	at := c.Mark("all bound")
	bound := standing(v, at, "a", "b")
	ok, said := len(bound) == 4, ""
	for _, name := range []string{"a", "b"} {
		g := v.Gang(name)
		c.Premise(g != nil && g.TopologyKey != "", nil, "gang %s demands a rack", name)
		if g == nil {
			continue
		}
		in := kit.DomainsOf(v, v.BoundAt(name, at), g.TopologyKey)
		ok = ok && len(in) == 1 && in[0] != ""
		for _, one := range in {
			said += " " + name + " in " + one
		}
	}
	if key := keyOf(v, "tree"); key != "" {
		in := kit.DomainsOf(v, bound, key)
		ok = ok && len(in) == 1 && in[0] != ""
		for _, one := range in {
			said += " tree in " + one
		}
	}
	return c.About(at, kit.Objects(bound)...).Holds(ok, "%d of 4 pods are bound:%s; expected all, each gang in one rack and the tree within its constraint", len(bound), said)
}

func judgeZoneAndRacks(v *history.View) []suites.Finding {
	c := kit.For(v, "CPG-026")
	ready, zone := c.Mark("ready"), keyOf(v, "tree")
	c.Premise(zone != "", nil, "the composite demands a zone")
	if g := v.Gang("a"); g != nil {
		c.FitsWithin(ready, v.Members("a"), g.TopologyKey, "", 2)
		c.ShortWithin(ready, all(v, "a", "b"), g.TopologyKey, "", 3)
	}
	c.FitsWithin(ready, all(v, "a", "b"), zone, "", 4)
	return []suites.Finding{judgeNested(c, v)}
}

func judgeRacksOfChildren(v *history.View) []suites.Finding {
	c := kit.For(v, "CPG-027")
	ready := c.Mark("ready")
	c.Fits(ready, all(v, "a", "b"))
	if g := v.Gang("a"); g != nil {
		c.ShortWithin(ready, all(v, "a", "b"), g.TopologyKey, "", 3)
	}
	return []suites.Finding{judgeNested(c, v)}
}
