package preemption

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "preemption-budgets",
		Profile:      "preemption",
		Summary:      "Disruption budgets protect a pod, one member of a group, and the only pod whose removal makes room.",
		Requirements: []string{"PRE-042", "PRE-043", "PRE-051"},
		Needs:        needs(pool("pod", 1, 2), pool("group", 1, 2), pool("aside", 1, 1), pool("only", 1, 1)),
		Weight:       7,
		Drive:        driveBudget,
		Judge:        judgeBudget,
	})
}

func driveBudget(ctx context.Context, env suites.Env) error {
	for _, app := range []string{"kept", "group", "only"} {
		if err := protect(ctx, env, app); err != nil {
			return err
		}
	}
	node := func(pool string) string { return env.Pool(pool).Nodes()[0] }
	if err := place(ctx, env,
		labelled("kept", on(node("pod"), pod("kept", "pod", "low"))), on(node("pod"), pod("free", "pod", "mid")),
		on(node("group"), pod("beside", "group", "mid")),
		labelled("only", on(node("only"), pod("only", "only", "low"))),
	); err != nil {
		return err
	}
	// The protected member stands where the preemptor cannot go: the group has to be spared as a whole for its sake.
	v := build.Gang{Name: "v", Quorum: 2, PriorityClass: "low", DisruptAll: true}
	if err := runningGroup(ctx, env, v, on(node("group"), member("v-0", "v", "group", "low")),
		labelled("group", on(node("aside"), member("v-1", "v", "aside", "low")))); err != nil {
		return err
	}
	env.Mark(ctx, ready)
	for _, p := range [][2]string{{"a", "pod"}, {"b", "group"}, {"c", "only"}} {
		if err := attack(ctx, env, p[0], p[1], 1, 1); err != nil {
			return err
		}
	}
	kit.AwaitOver(ctx, env, settled, 1, kit.PodsBound("a-0", "b-0", "c-0"))
	return ctx.Err()
}

func judgeBudget(v *history.View) []suites.Finding {
	a, b := gang(v, "a", podsOf(v, "free")...), gang(v, "b", podsOf(v, "beside")...)
	c := gang(v, "c", podsOf(v, "only")...)
	opened := func(s story, id, app string) *kit.Case {
		k := s.opened(id)
		k.Premise(protected(v, app), nil, "a budget protects the pods labelled app=%s", app)
		return k
	}
	return []suites.Finding{
		a.spared(opened(a, "PRE-042", "kept"), podsOf(v, "kept"), "in spite of their budget, although others would do"),
		a.bound(opened(a, "PRE-042", "kept"), 1),
		b.spared(opened(b, "PRE-043", "group"), v.Members("v"), "although a budget protects one of them and others would do"),
		b.bound(opened(b, "PRE-043", "group"), 1),
		c.hit(opened(c, "PRE-051", "only"), c.legal, 1, 1, "for want of others"),
		c.bound(opened(c, "PRE-051", "only"), 1),
	}
}

// protected reports whether the driver created the budget.
func protected(v *history.View, name string) bool {
	for _, a := range v.Actions {
		if e := a.Value; e.Verb == history.VerbCreate && e.Resource == budgets.Resource && e.Name == name && e.Action.Response.OK() {
			return true
		}
	}
	return false
}
