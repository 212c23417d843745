package preemption

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "preemption-policies",
		Profile:      "preemption",
		Summary:      "A gang whose policy is Never, and one whose policy is PreemptLowerPriority, find their nodes held by pods of low priority.",
		Requirements: []string{"PRE-008", "PRE-010"},
		Needs:        needs(pool("never", 1, 1), pool("lower", 1, 1)),
		Weight:       17,
		Drive:        drivePolicies,
		Judge:        judgePolicies,
	})
	// No group takes part, so that it says something wherever there are pods.
	suites.Register(suites.Scenario{
		Name:         "preemption-pod-says-never",
		Profile:      "preemption",
		Summary:      "A pod whose policy is Never finds its node held by a pod of low priority.",
		Requirements: []string{"PRE-016"},
		Needs:        needs(pool("pod", 1, 1)),
		Weight:       17,
		Drive:        drivePodNever,
		Judge:        judgePodNever,
	})
}

func drivePolicies(ctx context.Context, env suites.Env) error {
	never, err := neverClass(ctx, env)
	if err != nil {
		return err
	}
	for _, where := range []string{"never", "lower"} {
		if err := place(ctx, env, on(env.Pool(where).Nodes()[0], pod("low-"+where, where, "low"))); err != nil {
			return err
		}
	}
	env.Mark(ctx, ready)
	if err := groupWithPolicy(ctx, env, "n", never, corev1.PreemptNever); err != nil {
		return err
	}
	if err := groupWithPolicy(ctx, env, "l", env.PriorityClass("high"), corev1.PreemptLowerPriority); err != nil {
		return err
	}
	if err := env.CreatePods(ctx, member("n-0", "n", "never", never), member("l-0", "l", "lower", "high")); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "came", settled, 1); err != nil {
		return err
	}
	return env.Delete(ctx, priority, never)
}

func drivePodNever(ctx context.Context, env suites.Env) error {
	never, err := neverClass(ctx, env)
	if err != nil {
		return err
	}
	if err := place(ctx, env, on(env.Pool("pod").Nodes()[0], pod("low-pod", "pod", "low"))); err != nil {
		return err
	}
	env.Mark(ctx, ready)
	if err := env.CreatePods(ctx, pod("p", "pod", never)); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "came", settled, 1); err != nil {
		return err
	}
	return env.Delete(ctx, priority, never)
}

// neverClass creates a class of the same priority as "high" whose pods never preempt, and returns its name. A class is
// all that admission lets a pod take its policy from.
func neverClass(ctx context.Context, env suites.Env) (string, error) {
	policy := corev1.PreemptNever
	name := env.Namespace() + "-never"
	return name, kit.Create(ctx, env, priority, build.PriorityClass(name, classes["high"], &policy))
}

// groupWithPolicy creates a gang of one that states its policy, as a neutral gang cannot.
func groupWithPolicy(ctx context.Context, env suites.Env, name, class string, policy corev1.PreemptionPolicy) error {
	return env.Create(ctx, podGroups, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": podGroups.Group + "/" + podGroups.Version, "kind": "PodGroup", "metadata": map[string]any{"name": name},
		"spec": map[string]any{
			"schedulingPolicy":  map[string]any{"gang": map[string]any{"minCount": int64(1)}},
			"priorityClassName": class, "preemptionPolicy": string(policy),
		},
	}})
}

func judgePolicies(v *history.View) []suites.Finding {
	n, l := gang(v, "n", podsOf(v, "low-never")...), gang(v, "l", podsOf(v, "low-lower")...)
	return []suites.Finding{
		n.spared(untouchedFor(modest(n.opened("PRE-008"), n), 1), n.legal, "for a gang that never preempts"),
		l.hit(l.opened("PRE-010"), l.legal, 1, 1, "for a gang that preempts lower priorities"),
		l.bound(l.opened("PRE-010"), 1),
	}
}

func judgePodNever(v *history.View) []suites.Finding {
	p := lone(v, "p", podsOf(v, "low-pod")...)
	return []suites.Finding{p.spared(untouchedFor(modest(p.opened("PRE-016"), p), 1), p.legal, "for a pod that never preempts")}
}

// modest adds the premise that the preemptor outranks its victims and says that it never preempts.
func modest(c *kit.Case, s story) *kit.Case {
	for _, p := range s.preemptor {
		policy := p.First.Spec.PreemptionPolicy
		c.Premise(policy != nil && *policy == corev1.PreemptNever, nil, "pod %s never preempts", p.Name)
		c.Premise(len(s.legal) > 0 && p.Priority > s.legal[0].Priority, nil, "pod %s is of higher priority", p.Name)
	}
	return c
}
