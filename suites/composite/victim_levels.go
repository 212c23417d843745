package composite

import (
	"context"
	"fmt"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "composite-victim-highest-level",
		Profile:      "composite",
		Summary:      "A pod of high priority needs one node of a tree of three levels whose root alone says that it is only disrupted as a whole.",
		Requirements: []string{"CPG-040"},
		Needs:        withClasses(needs(slots(4))),
		Weight:       3,
		Drive:        driveVictimLevels(true),
		Judge:        judgeVictimRoot,
	})
	suites.Register(suites.Scenario{
		Name:         "composite-victim-branch",
		Profile:      "composite",
		Summary:      "A pod of high priority needs one node of a tree whose two branches are each only disrupted as a whole.",
		Requirements: []string{"CPG-041"},
		Needs:        withClasses(needs(slots(4))),
		Weight:       17,
		Drive:        driveVictimLevels(false),
		Judge:        judgeVictimBranch,
	})
}

// branches of the tree: composites of two gangs of one pod each.
var branches = map[string][]string{"left": {"a", "b"}, "right": {"c", "d"}}

// driveVictimLevels lets a tree of two branches run, a pod a node. whole: the root is disrupted as a whole and nothing
// below it says so; else the branches are.
func driveVictimLevels(whole bool) func(context.Context, suites.Env) error {
	return func(ctx context.Context, env suites.Env) error {
		top := root("tree", 2)
		top.PriorityClass, top.DisruptAll = "low", whole
		if err := createComposites(ctx, env, top); err != nil {
			return err
		}
		nodes := env.Pool(mainPool).Nodes()
		for _, branch := range []string{"left", "right"} {
			c := below("tree", branch, 2)
			c.PriorityClass, c.DisruptAll = "low", !whole
			if err := createComposites(ctx, env, c); err != nil {
				return err
			}
			for _, name := range branches[branch] {
				if err := placedGang(ctx, env, leaf(branch, name, 1), "low", mainPool, nodes[0]); err != nil {
					return err
				}
				nodes = nodes[1:]
			}
		}
		env.Mark(ctx, "running")
		high := kit.Plain("high", mainPool)
		high.PriorityClass = "high"
		if err := env.CreatePods(ctx, high); err != nil {
			return err
		}
		kit.AwaitMark(ctx, env, "high bound", 1, kit.PodsBound("high"))
		if !whole {
			return kit.Watch(ctx, env, "settling", "after", 1)
		}
		env.Await(ctx, "all victims are gone", env.Settle(1), func(v *history.View) bool {
			return len(kit.DisturbedBetween(all(v, "a", "b", "c", "d"), history.Stamp{}, v.Now())) == 4
		})
		env.Mark(ctx, "after")
		return ctx.Err()
	}
}

// placedGang creates a gang of one pod, gang-0, which stands on its node, and returns once it is seen there. Its labels are
// those given.
func placedGang(ctx context.Context, env suites.Env, g build.Gang, class, pool, node string, labels ...string) error {
	g.PriorityClass = class
	if err := env.CreateGang(ctx, g); err != nil {
		return fmt.Errorf("creating gang %s: %w", g.Name, err)
	}
	p := kit.Member(g.Name, pool)
	p.Name, p.PriorityClass, p.NodeName = g.Name+"-0", class, node
	for _, app := range labels {
		p.Labels = map[string]string{"app": app}
	}
	if err := env.CreatePods(ctx, p); err != nil {
		return fmt.Errorf("creating the pod of gang %s: %w", g.Name, err)
	}
	env.Await(ctx, "the pod of "+g.Name+" stands", kit.Patience(env, 1), kit.PodsBound(p.Name))
	return nil
}

// branchVictims are the pods of the tree that were disturbed, by branch.
func branchVictims(c *kit.Case, v *history.View) (hit map[string]int, at history.Stamp) {
	tree(c, v, "tree", 4)
	run := c.Mark("running")
	c.Premise(len(standing(v, run, "a", "b", "c", "d")) == 4, nil, "the whole tree ran")
	c.ShortWithin(run, kit.Named(v, "high"), "", "", 1)
	at = c.Mark("after")
	hit = map[string]int{}
	for branch, gangs := range branches {
		hit[branch] = len(kit.DisturbedBetween(all(v, gangs...), run, at))
	}
	return hit, at
}

func judgeVictimRoot(v *history.View) []suites.Finding {
	c := kit.For(v, "CPG-040")
	hit, at := branchVictims(c, v)
	r := v.Composite("tree")
	c.Premise(r != nil && r.DisruptAll, nil, "the root is disrupted as a whole")
	c.Premise(hit["left"]+hit["right"] > 0, nil, "somebody was preempted")
	return []suites.Finding{c.About(at).Holds(hit["left"] == 2 && hit["right"] == 2,
		"%d of 2 and %d of 2 pods of the branches of a tree that is only disrupted as a whole were evicted; expected all", hit["left"], hit["right"])}
}

func judgeVictimBranch(v *history.View) []suites.Finding {
	c := kit.For(v, "CPG-041")
	hit, at := branchVictims(c, v)
	c.Watched("settling", "after", 1)
	high, done := kit.Named(v, "high"), c.Mark("high bound")
	ok := len(high) == 1 && !high[0].Bound.After(done) && hit["left"]+hit["right"] == 2 && hit["left"]*hit["right"] == 0
	return []suites.Finding{c.About(at, kit.Objects(high)...).Holds(ok,
		"%d of 2 and %d of 2 pods of the branches were evicted for a pod that needs one node; expected one branch whole, the other not, and the pod bound", hit["left"], hit["right"])}
}
