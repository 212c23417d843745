package composite

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "composite-preempts-in-one-rack",
		Profile:      "composite",
		Summary:      "A tree of high priority that demands one rack can only have the rack of which every pod is of lower priority.",
		Requirements: []string{"CPG-048", "CPG-049"},
		Needs:        withClasses(needs(racks(2, 2))),
		Weight:       20,
		Drive:        drivePreemptsInRack,
		Judge:        judgePreemptsInRack,
	})
}

func drivePreemptsInRack(ctx context.Context, env suites.Env) error {
	for _, p := range []struct {
		name, class string
		on          []string
	}{{"victim", "low", rack(env, 0)}, {"spared", "low", rack(env, 1)[:1]}, {"equal", "high", rack(env, 1)[1:]}} {
		if _, err := fill(ctx, env, p.name, p.class, p.on...); err != nil {
			return err
		}
	}
	env.Mark(ctx, "full")
	c := rackRoot(env, 2)
	c.PriorityClass = "high"
	if err := createComposites(ctx, env, c); err != nil {
		return err
	}
	for _, name := range []string{"a", "b"} {
		g := leaf("tree", name, 1)
		g.PriorityClass = "high"
		if err := createLeaf(ctx, env, g, 1); err != nil {
			return err
		}
	}
	kit.AwaitMark(ctx, env, "all bound", 2, kit.All(kit.Bound("a", 1), kit.Bound("b", 1)))
	return kit.Watch(ctx, env, "settling", "watched", 2)
}

func judgePreemptsInRack(v *history.View) []suites.Finding {
	members := all(v, "a", "b")
	victims, others := kit.Named(v, "victim-0", "victim-1"), kit.Named(v, "spared-0", "equal-0")
	opened := func(id string) (*kit.Case, history.Stamp) {
		c := kit.For(v, id)
		tree(c, v, "tree", 2)
		full := c.Mark("full")
		c.ShortWithin(full, members, "", "", 1)
		c.Premise(len(victims) == 2 && len(others) == 2, nil, "every node was taken")
		for _, p := range append(victims[:len(victims):len(victims)], kit.Named(v, "spared-0")...) {
			c.Premise(len(members) > 0 && p.Priority < members[0].Priority, nil, "pod %s is of lower priority", p.Name)
		}
		return c, full
	}
	bound, _ := opened("CPG-048")
	key := ""
	if r := v.Composite("tree"); r != nil {
		key = r.TopologyKey
	}
	bound.Premise(key != "", nil, "the tree demands one rack")
	at := bound.Mark("all bound")
	placed := standing(v, at, "a", "b")
	domains := kit.DomainsOf(v, placed, key)

	spare, full := opened("CPG-049")
	_, to := spare.Watched("settling", "watched", 2)
	spare.Premise(len(kit.DisturbedBetween(victims, full, to)) > 0, nil, "somebody was preempted")
	return []suites.Finding{
		bound.About(at, kit.Objects(placed)...).Holds(len(placed) == 2 && len(domains) == 1,
			"%d of 2 pods of a tree bound that demands one rack and has to preempt for it, in the racks %q", len(placed), domains),
		spare.Untouched(others, full, to, "in a rack that cannot be emptied for the tree"),
	}
}
