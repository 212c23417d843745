package composite

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "composite-two-gangs-fit",
		Profile:      "composite",
		Summary:      "A composite that needs both of its two gangs finds room for them.",
		Requirements: []string{"CPG-001", "CPG-014", "CPG-015"},
		Needs:        needs(slots(4)),
		Weight:       22,
		Drive:        driveTwoGangsFit,
		Judge:        judgeTwoGangsFit,
	})
}

func driveTwoGangsFit(ctx context.Context, env suites.Env) error {
	env.Mark(ctx, "ready")
	if err := pair(ctx, env, root("tree", 2)); err != nil {
		return err
	}
	if !kit.AwaitMark(ctx, env, "all bound", 4, kit.All(kit.Bound("a", 2), kit.Bound("b", 2))) {
		return ctx.Err()
	}
	env.Await(ctx, "the conditions are written", env.Settle(4), treeSaysSo)
	env.Mark(ctx, "waited")
	return ctx.Err()
}

// treeSaysSo: the tree and both of its gangs say that they are scheduled. In which order is up to the scheduler.
func treeSaysSo(v *history.View) bool {
	for _, name := range []string{"a", "b"} {
		if g := v.Gang(name); g == nil || says(g.Satisfied) != "True" {
			return false
		}
	}
	c := v.Composite("tree")
	return c != nil && says(c.Satisfied) == "True"
}

// says is the last status of a condition; empty where there is none.
func says(timeline []history.At[history.Condition]) string {
	c, _ := history.Latest(timeline)
	return c.Status
}

func judgeTwoGangsFit(v *history.View) []suites.Finding {
	opened := func(id string) *kit.Case {
		c := kit.For(v, id)
		tree(c, v, "tree", 2)
		c.Fits(c.Mark("ready"), all(v, "a", "b"))
		return c
	}
	findings := []suites.Finding{counts(opened("CPG-001"), v, "all bound", map[string]int{"a": 2, "b": 2})}

	condition := func(id, name string, timeline func() []history.At[history.Condition]) suites.Finding {
		c := opened(id)
		at := c.Mark("all bound")
		c.Premise(len(standing(v, at, "a", "b")) == 4, nil, "the whole tree was bound")
		end := c.Mark("waited")
		var got string
		if t := timeline(); len(t) > 0 {
			value, _ := history.ValueAt(t, end)
			got = value.Status
		}
		if got != "True" {
			c.Watched("all bound", "waited", 4) // it had its time
		}
		return c.About(end).Holds(got == "True", "the condition of %s is %q after the whole tree was bound; expected True", name, got)
	}
	for _, name := range []string{"a", "b"} {
		findings = append(findings, condition("CPG-014", "podgroup "+name, func() []history.At[history.Condition] {
			if g := v.Gang(name); g != nil {
				return g.Satisfied
			}
			return nil
		}))
	}
	return append(findings, condition("CPG-015", "compositepodgroup tree", func() []history.At[history.Condition] {
		if c := v.Composite("tree"); c != nil {
			return c.Satisfied
		}
		return nil
	}))
}
