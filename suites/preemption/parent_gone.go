package preemption

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "preemption-parent-is-gone",
		Profile:      "preemption",
		Summary:      "Two groups run whose tree, only disrupted as a whole, does not exist any more; one of their nodes is needed, by a gang and by a pod.",
		Requirements: []string{"PRE-030"},
		Needs:        needs(pool("gang", 4, 1), pool("pod", 4, 1)),
		Weight:       8,
		Drive:        driveParentGone,
		Judge:        judgeParentGone,
	})
}

// halves of the tree that stands in a pool.
var halves = []string{"left", "right"}

func driveParentGone(ctx context.Context, env suites.Env) error {
	for _, where := range []string{"gang", "pod"} {
		tree := build.Composite{Name: where + "-tree", Quorum: 2, PriorityClass: "low", DisruptAll: true, Workload: "w", Template: "tree"}
		if err := env.CreateComposite(ctx, tree); err != nil {
			return fmt.Errorf("creating composite group %s: %w", tree.Name, err)
		}
		nodes := env.Pool(where).Nodes()
		for i, half := range halves {
			g := build.Gang{Name: where + "-" + half, Quorum: 2, PriorityClass: "low", DisruptAll: true, Parent: tree.Name, Workload: "w", Template: "half"}
			if err := runningGroup(ctx, env, g, across(nodes[2*i:2*i+2], member(g.Name, g.Name, where, "low"))...); err != nil {
				return err
			}
		}
		if err := env.DeleteComposite(ctx, tree.Name); err != nil {
			return err
		}
	}
	env.Await(ctx, "the trees are gone", kit.Patience(env, 1), func(v *history.View) bool {
		return parentGone(v, "gang", v.Now()) && parentGone(v, "pod", v.Now())
	})
	env.Hold(ctx, "the scheduler hears of it", glance)
	env.Mark(ctx, ready)
	if err := attack(ctx, env, "g", "gang", 1, 1); err != nil {
		return err
	}
	if err := env.CreatePods(ctx, pod("p", "pod", "high")); err != nil {
		return err
	}
	kit.AwaitOver(ctx, env, settled, 1, kit.PodsBound("g-0", "p"))
	return ctx.Err()
}

// parentGone reports whether the tree of a pool was there, and is not any more.
func parentGone(v *history.View, where string, at history.Stamp) bool {
	c := v.Composite(where + "-tree")
	return c != nil && c.DisruptAll && !c.Gone.IsZero() && !c.Gone.After(at)
}

func judgeParentGone(v *history.View) []suites.Finding {
	c := kit.For(v, "PRE-030")
	at, end := c.Mark(ready), c.Mark(settled)
	var said []string
	for _, where := range []string{"gang", "pod"} {
		c.Premise(parentGone(v, where, at), nil, "the tree of the %s's victims, disrupted as a whole, was gone before", where)
		var counts []string
		var legal []*history.Pod
		for _, half := range halves {
			members := v.Members(where + "-" + half)
			g := v.Gang(where + "-" + half)
			c.Premise(g != nil && g.DisruptAll && g.Parent == where+"-tree" && len(boundOf(members, at)) == 2, nil,
				"the group %s-%s of that tree ran with two members", where, half)
			legal = append(legal, members...)
			counts = append(counts, fmt.Sprintf("%d of %d", len(preempted(v, members, end)), len(members)))
		}
		slices.Sort(counts) // which of the two it was is of no interest
		slices.Reverse(counts)
		s := gang(v, "g", legal...)
		if where == "pod" {
			s = lone(v, "p", legal...)
		}
		s.fits(c, nil, false, "no room for %d of %d pods of higher priority", s.need, len(s.preemptor))
		s.fits(c, legal, true, "room for %d of %d pods of higher priority without the two groups", s.need, len(s.preemptor))
		said = append(said, fmt.Sprintf("by a %s %s", where, strings.Join(counts, " and ")))
	}
	return []suites.Finding{c.About(end).Saw(strings.Join(said, "; "),
		"what is preempted of two groups whose tree, disrupted as a whole, is gone, when one of their nodes is needed")}
}
