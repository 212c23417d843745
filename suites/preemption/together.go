package preemption

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "preemption-together",
		Profile:      "preemption",
		Summary:      "One node out of three is needed from groups that are only disrupted together: a gang and a basic group by a gang, a gang by a pod.",
		Requirements: []string{"PRE-020", "PRE-021", "PRE-023", "PRE-066"},
		Needs:        needs(pool("gang", 3, 1), pool("basic", 3, 1), pool("pod", 3, 1)),
		Weight:       12,
		Drive:        driveTogether,
		Judge:        judgeTogether,
	})
}

func driveTogether(ctx context.Context, env suites.Env) error {
	for _, name := range []string{"gang", "basic", "pod"} {
		g := build.Gang{Name: "victim-" + name, Quorum: 3, PriorityClass: "low", DisruptAll: true}
		if name == "basic" {
			g.Policy = build.BasicPolicy
		}
		if err := runningGroup(ctx, env, g, across(env.Pool(name).Nodes(), member(g.Name, g.Name, name, "low"))...); err != nil {
			return err
		}
	}
	env.Mark(ctx, ready)
	for _, name := range []string{"gang", "basic"} {
		if err := attack(ctx, env, "for-"+name, name, 1, 1); err != nil {
			return err
		}
	}
	if err := env.CreatePods(ctx, pod("for-pod", "pod", "high")); err != nil {
		return err
	}
	env.Await(ctx, "they run", kit.Patience(env, 1), kit.PodsBound("for-gang-0", "for-basic-0", "for-pod"))
	// A preemptor may run on the first node that is free, while the last of its victims are still being evicted.
	kit.AwaitOver(ctx, env, settled, 1, func(v *history.View) bool { return saysDisrupted(v.Gang("victim-gang")) })
	return ctx.Err()
}

// saysDisrupted reports whether a group ever said that it is being disrupted.
func saysDisrupted(g *history.Gang) bool {
	return g != nil && slices.ContainsFunc(g.Conditions[string(corev1.DisruptionTarget)], func(c history.At[history.Condition]) bool {
		return c.Value.Status == string(corev1.ConditionTrue)
	})
}

func judgeTogether(v *history.View) []suites.Finding {
	a := gang(v, "for-gang", v.Members("victim-gang")...)
	b := gang(v, "for-basic", v.Members("victim-basic")...)
	p := lone(v, "for-pod", v.Members("victim-pod")...)
	out := []suites.Finding{}
	for _, told := range []struct {
		id string
		story
	}{{"PRE-020", a}, {"PRE-021", b}, {"PRE-023", p}} {
		opened := func() *kit.Case {
			c := told.opened(told.id)
			c.Premise(len(told.legal) == 3, nil, "the group has three members")
			return c
		}
		out = append(out, told.hit(opened(), told.legal, 3, 3, "together"), told.bound(opened(), 1))
	}
	c := kit.For(v, "PRE-066")
	at := c.Mark(settled)
	c.Premise(len(preempted(v, a.legal, at)) == 3, nil, "the whole group was preempted")
	return append(out, c.About(at, kit.Objects(a.legal)...).Holds(saysDisrupted(v.Gang("victim-gang")),
		"a group whose members were preempted together has to carry DisruptionTarget=True"))
}
