package preemption

import (
	"context"
	"fmt"
	"maps"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/kit"
	"muster/workloads/build"
)

const (
	mainPool = "main"
	// ready is the mark at which the stage is set and the preemptor has not come yet.
	ready = "ready"
	// settled is the mark at which the story is over: the preemptors run, or were waited for long enough.
	settled = "settled"
)

// classes are the priority classes of every story.
var classes = map[string]int32{"low": 100, "mid": 200, "upper": 300, "high": 1000, "top": 2000}

// needs is the usual need: pools and the classes.
func needs(pools ...nodes.Pool) suites.Needs {
	return suites.Needs{Pools: pools, PriorityClasses: maps.Clone(classes)}
}

// pool is a pool of nodes with so many GPUs each.
func pool(name string, count, gpus int) nodes.Pool {
	return nodes.Pool{Name: name, Count: count, GPUs: gpus}
}

// pod is a plain pod of shape kit.Worker.
func pod(name, pool, class string) build.Pod {
	p := kit.Plain(name, pool)
	p.PriorityClass = class
	return p
}

// member is a pod of shape kit.Worker that belongs to a gang.
func member(name, gang, pool, class string) build.Pod {
	p := pod(name, pool, class)
	p.Gang = gang
	return p
}

// on puts a pod on its node from the start.
func on(node string, p build.Pod) build.Pod {
	p.NodeName = node
	return p
}

// across are copies name-0, name-1, … of a pod, one on each node.
func across(nodes []string, p build.Pod) []build.Pod {
	out := build.Replicas(len(nodes), p)
	for i := range out {
		out[i].NodeName = nodes[i]
	}
	return out
}

// ballast is a pod nobody may evict that asks for much CPU and nothing else: the node looks fuller, but takes no fewer
// workers.
func ballast(name, pool, node string) build.Pod {
	p := on(node, pod(name, pool, "top"))
	p.Shape = build.Shape{CPU: "40"}
	return p
}

// place creates pods on their nodes and returns once they are seen there.
func place(ctx context.Context, env suites.Env, pods ...build.Pod) error {
	if err := env.CreatePods(ctx, pods...); err != nil {
		return fmt.Errorf("setting the stage: %w", err)
	}
	env.Await(ctx, "the stage is set", kit.Patience(env, 1), kit.PodsBound(build.Names(pods)...))
	return nil
}

// runningGroup creates a group and its members, which stand on their nodes.
func runningGroup(ctx context.Context, env suites.Env, g build.Gang, members ...build.Pod) error {
	if err := env.CreateGang(ctx, g); err != nil {
		return fmt.Errorf("creating group %s: %w", g.Name, err)
	}
	return place(ctx, env, members...)
}

// attack creates a gang of class high with n members of shape kit.Worker.
func attack(ctx context.Context, env suites.Env, name, pool string, quorum, n int) error {
	return attackWith(ctx, env, build.Gang{Name: name, Quorum: int32(quorum)}, n, member(name, name, pool, "high"))
}

// attackWith is attack with a group and a member of the story's own; the group gets the member's class.
func attackWith(ctx context.Context, env suites.Env, g build.Gang, n int, m build.Pod) error {
	g.PriorityClass = m.PriorityClass
	return kit.CreateGang(ctx, env, g, build.Replicas(n, m)...)
}

var (
	composites = schema.GroupVersionResource{Group: "scheduling.k8s.io", Version: "v1alpha3", Resource: "compositepodgroups"}
	podGroups  = schema.GroupVersionResource{Group: "scheduling.k8s.io", Version: "v1beta1", Resource: "podgroups"}
	priority   = schema.GroupVersionResource{Group: "scheduling.k8s.io", Version: "v1", Resource: "priorityclasses"}
	budgets    = schema.GroupVersionResource{Group: "policy", Version: "v1", Resource: "poddisruptionbudgets"}
)

// protect creates a budget that lets none of the pods labelled app=name be disrupted voluntarily.
func protect(ctx context.Context, env suites.Env, name string) error {
	return env.Create(ctx, budgets, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": map[string]any{"name": name},
		"spec": map[string]any{
			"minAvailable": int64(1),
			"selector":     map[string]any{"matchLabels": map[string]any{"app": name}},
		},
	}})
}

// labelled gives a pod the label app=name.
func labelled(name string, p build.Pod) build.Pod {
	p.Labels = map[string]string{"app": name}
	return p
}

// gangOfOne is a gang with a quorum of one.
func gangOfOne(name string) build.Gang { return build.Gang{Name: name, Quorum: 1} }

// glance is long enough for a scheduler's watch to have delivered what was just written. How long it took is never judged.
const glance = 2 * time.Second
