package composite

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/suites/kit/answer"
	"muster/suites/premise"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "composite-preemption-policies",
		Profile:      "composite",
		Summary:      "A tree whose policy is Never, one whose policy is PreemptLowerPriority and one that has both find their nodes held by pods of low priority.",
		Requirements: []string{"CPG-044", "CPG-045", "CPG-053"},
		Needs:        withClasses(suites.Needs{Pools: []nodes.Pool{{Name: "never", Count: 2, GPUs: 1}, {Name: "lower", Count: 2, GPUs: 1}, {Name: "mixed", Count: 2, GPUs: 1}}}),
		Weight:       20,
		Drive:        drivePolicies,
		Judge:        judgePolicies,
	})
}

var (
	compositeGVR = schema.GroupVersionResource{Group: "scheduling.k8s.io", Version: "v1alpha3", Resource: "compositepodgroups"}
	podGroupGVR  = schema.GroupVersionResource{Group: "scheduling.k8s.io", Version: "v1beta1", Resource: "podgroups"}
	classGVR     = schema.GroupVersionResource{Group: "scheduling.k8s.io", Version: "v1", Resource: "priorityclasses"}
)

func drivePolicies(ctx context.Context, env suites.Env) error {
	never := env.Namespace() + "-never"
	policy := corev1.PreemptNever
	if err := kit.Create(ctx, env, classGVR, build.PriorityClass(never, 1000, &policy)); err != nil {
		return err
	}
	// Admission knows classes from a watch of its own.
	if err := answer.Insist(ctx, env, "the class is known", answer.Create(podGroupGVR, stated("PodGroup", "", never, policy, map[string]any{
		"schedulingPolicy": map[string]any{"basic": map[string]any{}},
	}))); err != nil {
		return err
	}
	for _, pool := range []string{"never", "lower", "mixed"} {
		low := kit.Plain("low-"+pool, pool)
		low.PriorityClass = "low"
		pods := build.Replicas(2, low)
		for i, node := range env.Pool(pool).Nodes() {
			pods[i].NodeName = node
		}
		if err := env.CreatePods(ctx, pods...); err != nil {
			return err
		}
		env.Await(ctx, "pool "+pool+" is full", kit.Patience(env, 1), kit.PodsBound(build.Names(pods)...))
	}
	env.Mark(ctx, "full")
	if err := statedTree(ctx, env, "n", "never", never, corev1.PreemptNever); err != nil {
		return err
	}
	if err := statedTree(ctx, env, "l", "lower", env.PriorityClass("high"), corev1.PreemptLowerPriority); err != nil {
		return err
	}
	if err := mixedTree(ctx, env, never); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "created", "watched", 2); err != nil {
		return err
	}
	return env.Delete(ctx, classGVR, never)
}

// stated is a group, of either kind, that states its policy, as a neutral one cannot.
func stated(kind, name, class string, policy corev1.PreemptionPolicy, more map[string]any) map[string]any {
	version := podGroupGVR.Version
	if kind == "CompositePodGroup" {
		version = compositeGVR.Version
	}
	meta := map[string]any{}
	if name != "" {
		meta["name"] = name
	}
	more["priorityClassName"], more["preemptionPolicy"] = class, string(policy)
	return map[string]any{"apiVersion": "scheduling.k8s.io/" + version, "kind": kind, "metadata": meta, "spec": more}
}

// statedTree is a composite with two gangs of one pod each, all of the class and with its policy. class is the real name.
func statedTree(ctx context.Context, env suites.Env, name, pool, class string, policy corev1.PreemptionPolicy) error {
	if err := env.Create(ctx, compositeGVR, &unstructured.Unstructured{Object: stated("CompositePodGroup", name, class, policy, map[string]any{
		"workloadRef": workloadRef(), "schedulingPolicy": gangPolicy("minGroupCount", 2),
	})}); err != nil {
		return err
	}
	return statedLeaves(ctx, env, name, name, pool, class, policy)
}

func workloadRef() map[string]any { return map[string]any{"workloadName": "w", "templateName": "t"} }

func gangPolicy(field string, n int64) map[string]any {
	return map[string]any{"gang": map[string]any{field: n}}
}

// statedLeaves are two gangs of one pod each below a composite, whose names begin with that of the tree.
func statedLeaves(ctx context.Context, env suites.Env, name, parent, pool, class string, policy corev1.PreemptionPolicy) error {
	for _, leaf := range []string{name + "a", name + "b"} {
		if err := env.Create(ctx, podGroupGVR, &unstructured.Unstructured{Object: stated("PodGroup", leaf, class, policy, map[string]any{
			"workloadRef": workloadRef(), "schedulingPolicy": gangPolicy("minCount", 1), "parentCompositePodGroupName": parent,
		})}); err != nil {
			return err
		}
		p := kit.Member(leaf, pool)
		p.Name, p.PriorityClass = leaf+"-0", class
		if class == env.PriorityClass("high") {
			p.PriorityClass = "high"
		}
		if err := env.CreatePods(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// outranked is a case about a tree that would fit if the pods of low priority on its nodes were gone, and outranks them.
func outranked(v *history.View, id, name string, low []*history.Pod) (*kit.Case, []*history.Pod, history.Stamp) {
	c := kit.For(v, id)
	tree(c, v, name, 2)
	members := all(v, name+"a", name+"b")
	full := c.Mark("full")
	c.Premise(len(low) == 2, nil, "two pods hold the nodes (seen: %d)", len(low))
	c.ShortWithin(full, members, "", "", 1)
	if len(members) > 0 && !full.IsZero() {
		state := v.StateAt(full)
		for _, p := range low {
			delete(state.Pods, p.UID)
			c.Premise(p.Priority < members[0].Priority, nil, "pod %s is of lower priority", p.Name)
		}
		ok, err := premise.FeasibleIn(state, members, 2)
		c.Premise(ok, err, "room for the tree without them")
	}
	return c, members, full
}

func judgePolicies(v *history.View) []suites.Finding {
	low := kit.Named(v, "low-never-0", "low-never-1")
	never, members, full := outranked(v, "CPG-044", "n", low)
	for _, p := range members {
		policy := p.First.Spec.PreemptionPolicy
		never.Premise(policy != nil && *policy == corev1.PreemptNever, nil, "pod %s never preempts", p.Name)
	}
	_, to := never.Watched("created", "watched", 2)

	theirs := kit.Named(v, "low-lower-0", "low-lower-1")
	lower, its, from := outranked(v, "CPG-045", "l", theirs)
	at := lower.Mark("watched")
	gone, bound := len(kit.DisturbedBetween(theirs, from, at)), len(standing(v, at, "la", "lb"))
	return []suites.Finding{
		never.Untouched(low, full, to, "for a tree that never preempts"),
		lower.About(at, kit.Objects(its)...).Holds(gone == 2 && bound == 2,
			"%d of 2 pods of lower priority were evicted for a tree that preempts them, of whose 2 pods %d were bound", gone, bound),
		judgeMixedPolicy(v),
	}
}
