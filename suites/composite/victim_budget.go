package composite

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "composite-budgets",
		Profile:      "composite",
		Summary:      "A budget protects one pod of a tree that is only disrupted as a whole, another one child of a tree whose children are disrupted independently.",
		Requirements: []string{"CPG-042", "CPG-043"},
		Needs: withClasses(suites.Needs{Pools: []nodes.Pool{
			{Name: "whole", Count: 1, GPUs: 2}, {Name: "aside", Count: 1, GPUs: 1}, {Name: "child", Count: 1, GPUs: 2},
		}}),
		Weight: 6,
		Drive:  driveBudgets,
		Judge:  judgeBudgets,
	})
}

var budgets = schema.GroupVersionResource{Group: "policy", Version: "v1", Resource: "poddisruptionbudgets"}

// guard creates a budget that lets none of the pods labelled app=name be disrupted voluntarily.
func guard(ctx context.Context, env suites.Env, name string) error {
	return env.Create(ctx, budgets, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": map[string]any{"name": name},
		"spec": map[string]any{"minAvailable": int64(1), "selector": map[string]any{"matchLabels": map[string]any{"app": name}}},
	}})
}

func driveBudgets(ctx context.Context, env suites.Env) error {
	for _, app := range []string{"guarded", "kept"} {
		if err := guard(ctx, env, app); err != nil {
			return err
		}
	}
	whole, parts := root("tree", 2), root("parts", 1)
	whole.PriorityClass, whole.DisruptAll, parts.PriorityClass = "low", true, "low"
	if err := createComposites(ctx, env, whole, parts); err != nil {
		return err
	}
	node := func(pool string) string { return env.Pool(pool).Nodes()[0] }
	// The guarded pod stands where the preemptor cannot go: the tree has to be spared as a whole for its sake.
	for _, p := range []struct{ parent, gang, pool, app string }{
		{"tree", "a", "whole", "free"}, {"tree", "b", "aside", "guarded"}, {"parts", "c", "child", "kept"}, {"parts", "d", "child", "free"},
	} {
		if err := placedGang(ctx, env, leaf(p.parent, p.gang, 1), "low", p.pool, node(p.pool), p.app); err != nil {
			return err
		}
	}
	beside := kit.Plain("beside", "whole")
	beside.PriorityClass, beside.NodeName = "mid", node("whole")
	if err := env.CreatePods(ctx, beside); err != nil {
		return err
	}
	env.Await(ctx, "the stage is set", kit.Patience(env, 1), kit.PodsBound("beside"))
	env.Mark(ctx, "running")
	for _, preemptor := range [][2]string{{"x", "whole"}, {"y", "child"}} {
		name, pool := preemptor[0], preemptor[1]
		p := kit.Member(name, pool)
		p.Name, p.PriorityClass = name+"-0", "high"
		if err := kit.CreateGang(ctx, env, build.Gang{Name: name, Quorum: 1, PriorityClass: "high"}, p); err != nil {
			return err
		}
	}
	kit.AwaitOver(ctx, env, "after", 1, kit.PodsBound("x-0", "y-0"))
	return ctx.Err()
}

func judgeBudgets(v *history.View) []suites.Finding {
	opened := func(id, app, preemptor string, leaves int, root string) (*kit.Case, history.Stamp, history.Stamp) {
		c := kit.For(v, id)
		tree(c, v, root, leaves)
		c.Premise(guarded(v, app), nil, "a budget protects the pods labelled app=%s", app)
		run, at := c.Mark("running"), c.Mark("after")
		c.ShortWithin(run, v.Members(preemptor), "", "", 1)
		return c, run, at
	}
	hit := func(from, to history.Stamp, pods []*history.Pod) int {
		return len(kit.DisturbedBetween(pods, from, to))
	}
	bound := func(at history.Stamp, gang string) bool { return len(v.BoundAt(gang, at)) == 1 }

	whole, from, to := opened("CPG-042", "guarded", "x", 2, "tree")
	other := kit.Named(v, "beside")
	whole.Premise(len(other) == 1, nil, "another pod of lower priority than the preemptor stands there")
	spared, taken := hit(from, to, all(v, "a", "b")), hit(from, to, other)
	child, from, to := opened("CPG-043", "kept", "y", 2, "parts")
	kept, free := hit(from, to, v.Members("c")), hit(from, to, v.Members("d"))
	return []suites.Finding{
		whole.About(to, kit.Objects(all(v, "a", "b"))...).Holds(spared == 0 && taken == 1 && bound(to, "x"),
			"%d of 2 pods of a tree were evicted that is disrupted as a whole and of which a budget protects one, %d of 1 others, and the preemptor bound: %t", spared, taken, bound(to, "x")),
		child.About(to, kit.Objects(all(v, "c", "d"))...).Holds(kept == 0 && free == 1 && bound(to, "y"),
			"%d of 1 pods of the child were evicted that a budget protects, %d of 1 of its sibling, and the preemptor bound: %t", kept, free, bound(to, "y")),
	}
}

// guarded reports whether the driver created the budget.
func guarded(v *history.View, name string) bool {
	for _, a := range v.Actions {
		if e := a.Value; e.Verb == history.VerbCreate && e.Resource == budgets.Resource && e.Name == name && e.Action.Response.OK() {
			return true
		}
	}
	return false
}
