package preemption

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "preemption-of-conflicting-pods",
		Profile:      "preemption",
		Summary:      "Not the room is what gangs lack: a pod of low priority has their host port, another one is what they must not stand beside, a third one makes a node fuller than they may.",
		Requirements: []string{"PRE-048"},
		Needs:        needs(pool("port", 1, 2), pool("apart", 1, 2), pool("even", 2, 2)),
		Weight:       5,
		Drive:        driveConflicts,
		Judge:        judgeConflicts,
	})
}

func driveConflicts(ctx context.Context, env suites.Env) error {
	holder := on(env.Pool("port").Nodes()[0], pod("holder", "port", "low"))
	holder.HostPorts = []int32{8080}
	shunned := labelled("shunned", on(env.Pool("apart").Nodes()[0], pod("shunned", "apart", "low")))
	// The other node of the even pool is full of pods that nobody may evict and that nobody counts.
	even := env.Pool("even").Nodes()
	crowd := labelled("crowd", on(even[0], pod("crowd", "even", "low")))
	top := build.Replicas(2, on(even[1], pod("top", "even", "top")))
	if err := place(ctx, env, append(top, holder, shunned, crowd)...); err != nil {
		return err
	}
	env.Mark(ctx, ready)
	p := member("p", "p", "port", "high")
	p.HostPorts = holder.HostPorts
	if err := attackWith(ctx, env, gangOfOne("p"), 1, p); err != nil {
		return err
	}
	a := member("a", "a", "apart", "high")
	a.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{
			TopologyKey: corev1.LabelHostname, LabelSelector: &metav1.LabelSelector{MatchLabels: shunned.Labels},
		}},
	}}
	if err := attackWith(ctx, env, gangOfOne("a"), 1, a); err != nil {
		return err
	}
	e := member("e", "e", "even", "high")
	e.Labels = crowd.Labels
	e.Spread = []corev1.TopologySpreadConstraint{{MaxSkew: 1, TopologyKey: corev1.LabelHostname, WhenUnsatisfiable: corev1.DoNotSchedule,
		LabelSelector: &metav1.LabelSelector{MatchLabels: crowd.Labels}}}
	if err := attackWith(ctx, env, gangOfOne("e"), 1, e); err != nil {
		return err
	}
	kit.AwaitMark(ctx, env, settled, 1, kit.PodsBound("p-0", "a-0", "e-0"))
	return ctx.Err()
}

func judgeConflicts(v *history.View) []suites.Finding {
	p, a, e := gang(v, "p", podsOf(v, "holder")...), gang(v, "a", podsOf(v, "shunned")...), gang(v, "e", podsOf(v, "crowd")...)
	return []suites.Finding{
		p.hit(p.opened("PRE-048"), p.legal, 1, 1, "for its host port"), p.bound(p.opened("PRE-048"), 1),
		a.hit(a.opened("PRE-048"), a.legal, 1, 1, "for anti-affinity"), a.bound(a.opened("PRE-048"), 1),
		e.hit(e.opened("PRE-048"), e.legal, 1, 1, "for topology spread"), e.bound(e.opened("PRE-048"), 1),
	}
}
