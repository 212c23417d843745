package preemption

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "preemption-of-strangers",
		Profile:      "preemption",
		Summary:      "A gang needs the nodes of a pod of another scheduler and of a pod in another namespace.",
		Requirements: []string{"PRE-013"},
		Needs:        needs(pool(mainPool, 2, 1)),
		Weight:       6,
		Drive:        driveForeign,
		Judge:        judgeForeign,
	})
}

var namespaces = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}

// neighbour is the second namespace of a scenario, named after its first.
func neighbour(namespace string) string { return namespace + "-neighbour" }

func driveForeign(ctx context.Context, env suites.Env) error {
	next := neighbour(env.Namespace())
	if err := namespace(ctx, env, "create", next); err != nil {
		return err
	}
	nodes := env.Pool(mainPool).Nodes()
	other, elsewhere := on(nodes[0], pod("other", mainPool, "low")), on(nodes[1], pod("elsewhere", mainPool, "low"))
	other.SchedulerName, elsewhere.Namespace = "another-scheduler", next
	if err := env.CreatePods(ctx, other, elsewhere); err != nil {
		return err
	}
	env.Await(ctx, "the stage is set", kit.Patience(env, 1), kit.PodsBound("other", next+"/elsewhere"))
	env.Mark(ctx, ready)
	if err := attack(ctx, env, "g", mainPool, 2, 2); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, settled, "g", 2)
	return namespace(ctx, env, "delete", next)
}

// namespace creates or deletes a namespace beside the scenario's own.
func namespace(ctx context.Context, env suites.Env, verb, name string) error {
	a := suites.Attempt{Verb: verb, GVR: namespaces, Name: name, ClusterScoped: true}
	if verb == "create" {
		a.Object = &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name},
		}}
	}
	r, err := env.Try(ctx, verb+" namespace", a)
	if err != nil {
		return fmt.Errorf("%s of namespace %s: %w", verb, name, err)
	}
	if !r.OK() {
		return fmt.Errorf("%s of namespace %s: the API server answered %d %s: %s", verb, name, r.Code, r.Reason, r.Message)
	}
	return nil
}

func judgeForeign(v *history.View) []suites.Finding {
	strangers := podsOf(v, "other")
	if len(strangers) == 1 {
		strangers = append(strangers, podsOf(v, neighbour(strangers[0].Namespace)+"/elsewhere")...)
	}
	g := gang(v, "g", strangers...)
	opened := func() *kit.Case {
		c := g.opened("PRE-013")
		c.Premise(len(strangers) == 2 && !strangers[0].Ours, nil, "a pod of another scheduler and one of another namespace were there")
		return c
	}
	return []suites.Finding{g.hit(opened(), strangers, 2, 2, "for a gang of higher priority"), g.bound(opened(), 2)}
}
