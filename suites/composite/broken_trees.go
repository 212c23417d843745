package composite

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "composite-broken-trees",
		Profile:      "composite",
		Summary:      "One tree has five levels, one runs in a circle, and one has pods of another priority than its root's.",
		Requirements: []string{"CPG-009", "CPG-010", "CPG-011", "CPG-012"},
		Needs:        withClasses(needs(slots(3))),
		Weight:       20,
		Drive:        driveBrokenTrees,
		Judge:        judgeBrokenTrees,
	})
}

func driveBrokenTrees(ctx context.Context, env suites.Env) error {
	odd := root("odd", 1)
	odd.PriorityClass = "high"
	err := createComposites(ctx, env,
		root("one", 1), below("one", "two", 1), below("two", "three", 1), below("three", "four", 1),
		below("left", "right", 1), below("right", "left", 1), odd)
	if err != nil {
		return err
	}
	for _, g := range []struct{ parent, name string }{{"four", "deep"}, {"left", "circle"}, {"odd", "mixed"}} {
		if err := createLeaf(ctx, env, leaf(g.parent, g.name, 1), 1); err != nil {
			return err
		}
	}
	return kit.Watch(ctx, env, "created", "watched", 1)
}

func judgeBrokenTrees(v *history.View) []suites.Finding {
	opened := func(id, gang string, above int) (*kit.Case, history.Stamp) {
		c := kit.For(v, id)
		from, to := c.Watched("created", "watched", 1)
		c.Fits(from, v.Members(gang))
		g := v.Gang(gang)
		c.Premise(g != nil, nil, "gang %s exists", gang)
		if g != nil {
			n := len(v.AncestorsOf(g.Namespace, g.Parent))
			c.Premise(n == above, nil, "%d composites stand above %s (seen: %d)", above, gang, n)
		}
		return c, to
	}
	deep, to := opened("CPG-009", "deep", 4)
	told, _ := opened("CPG-010", "deep", 4)
	circle, _ := opened("CPG-011", "circle", 2)
	mixed, _ := opened("CPG-012", "mixed", 1)
	if root, pods := v.Composite("odd"), v.Members("mixed"); root != nil && len(pods) > 0 {
		mixed.Premise(root.Priority != pods[0].Priority, nil, "the pod's priority is not the root's")
	}
	invalid := 0
	for _, name := range []string{"one", "two", "three", "four"} {
		if c := v.Composite(name); c != nil {
			if last, ok := history.ValueAt(c.Satisfied, to); ok && last.Reason == "Invalid" {
				invalid++
			}
		}
	}
	return []suites.Finding{
		none(deep, v, to, "although their tree has five levels", "deep"),
		told.About(to, "compositepodgroup one").Holds(invalid > 0, "%d of 4 composites of a tree of five levels say that it is invalid; expected at least one", invalid),
		none(circle, v, to, "although their parents run in a circle", "circle"),
		none(mixed, v, to, "although their priority is not that of the root", "mixed"),
	}
}
