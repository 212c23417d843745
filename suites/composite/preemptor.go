package composite

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "composite-preempts",
		Profile:      "composite",
		Summary:      "A tree of high priority needs all nodes, which pods of low priority hold.",
		Requirements: []string{"CPG-032"},
		Needs:        withClasses(needs(slots(4))),
		Weight:       2,
		Drive:        drivePreempts,
		Judge:        judgePreempts,
	})
	suites.Register(suites.Scenario{
		Name:         "composite-preemption-hopeless",
		Profile:      "composite",
		Summary:      "A tree of high priority needs more nodes than there are, which pods of low priority hold.",
		Requirements: []string{"CPG-033"},
		Needs:        withClasses(needs(slots(3))),
		Weight:       26,
		Drive:        drivePreemptionHopeless,
		Judge:        judgePreemptionHopeless,
	})
}

func highTree(ctx context.Context, env suites.Env) error {
	if _, err := fill(ctx, env, "low", "low", env.Pool(mainPool).Nodes()...); err != nil {
		return err
	}
	env.Mark(ctx, "full")
	c := root("tree", 2)
	c.PriorityClass = "high"
	return pair(ctx, env, c)
}

func drivePreempts(ctx context.Context, env suites.Env) error {
	if err := highTree(ctx, env); err != nil {
		return err
	}
	kit.AwaitMark(ctx, env, "all bound", 4, kit.All(kit.Bound("a", 2), kit.Bound("b", 2)))
	return ctx.Err()
}

func drivePreemptionHopeless(ctx context.Context, env suites.Env) error {
	if err := highTree(ctx, env); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "created", "watched", 4)
}

// lowPods are the pods of low priority, with the premises that they are and that they hold all nodes.
func lowPods(c *kit.Case, v *history.View, at history.Stamp, n int) []*history.Pod {
	tree(c, v, "tree", 2)
	members, low := all(v, "a", "b"), []*history.Pod{}
	for _, p := range v.Pods {
		if p.Gang == "" {
			low = append(low, p)
		}
	}
	c.Premise(len(low) == n, nil, "%d pods of low priority hold the nodes (seen: %d)", n, len(low))
	for _, p := range low {
		c.Premise(len(members) > 0 && p.Priority < members[0].Priority, nil, "pod %s is of lower priority", p.Name)
	}
	c.ShortWithin(at, members, "", "", 1)
	return low
}

func judgePreempts(v *history.View) []suites.Finding {
	c := kit.For(v, "CPG-032")
	lowPods(c, v, c.Mark("full"), 4)
	return []suites.Finding{counts(c, v, "all bound", map[string]int{"a": 2, "b": 2})}
}

func judgePreemptionHopeless(v *history.View) []suites.Finding {
	c := kit.For(v, "CPG-033")
	full := c.Mark("full")
	low := lowPods(c, v, full, 3)
	_, to := c.Watched("created", "watched", 4)
	// All pods lifted out in thought: the nodes are fewer than the tree needs.
	c.ShortWithin(full, append(low[:len(low):len(low)], all(v, "a", "b")...), "", "", 4)
	return []suites.Finding{c.Untouched(low, full, to, "although the tree cannot be bound even without them")}
}
