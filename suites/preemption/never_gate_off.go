package preemption

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	s := needs(pool(mainPool, 2, 1), pool("mixed", 2, 1), pool("tree", 2, 1))
	s.Gates = map[string]bool{"PodGroupPreemptionPolicy": false}
	suites.Register(suites.Scenario{
		Name:         "preemption-pods-say-never",
		Profile:      "preemption",
		Summary:      "Where groups have no preemption policy of their own, the pods of a gang and of a tree say Never, and those of another gang differ.",
		Requirements: []string{"PRE-009", "GANG-033", "PRE-072"},
		Needs:        s,
		Isolation:    suites.OwnCluster,
		Weight:       40,
		Drive:        driveNeverGateOff,
		Judge:        judgeNeverGateOff,
	})
}

func driveNeverGateOff(ctx context.Context, env suites.Env) error {
	never, err := neverClass(ctx, env)
	if err != nil {
		return err
	}
	nodes := env.Pool(mainPool).Nodes()
	if err := place(ctx, env, append(across(nodes, pod("low", mainPool, "low")), across(env.Pool("tree").Nodes(), pod("low-tree", "tree", "low"))...)...); err != nil {
		return err
	}
	env.Mark(ctx, ready)
	if err := attackWith(ctx, env, build.Gang{Name: "g", Quorum: 2}, 2, member("g", "g", mainPool, never)); err != nil {
		return err
	}
	polite, other := member("mixed-polite", "mixed", "mixed", never), member("mixed-other", "mixed", "mixed", "high")
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "mixed", Quorum: 2, PriorityClass: "high"}, polite, other); err != nil {
		return err
	}
	if err := politeTree(ctx, env, never); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "came", settled, 2)
}

// politeTree creates a composite and a gang under it, whose pods never preempt. Without their gate composites are not
// served and the gang has no parent; the premises tell.
func politeTree(ctx context.Context, env suites.Env, never string) error {
	root := map[string]any{
		"apiVersion": "scheduling.k8s.io/v1alpha3", "kind": "CompositePodGroup", "metadata": map[string]any{"name": "root"},
		"spec": map[string]any{
			"workloadRef":       map[string]any{"workloadName": "w", "templateName": "root"},
			"schedulingPolicy":  map[string]any{"gang": map[string]any{"minGroupCount": int64(1)}},
			"priorityClassName": env.PriorityClass("high"),
		},
	}
	if _, err := env.Try(ctx, "make the root", suites.Attempt{Verb: "create", GVR: composites, Object: &unstructured.Unstructured{Object: root}}); err != nil {
		return err
	}
	leaf := build.Gang{Name: "leaf", Quorum: 2, Parent: "root", Workload: "w", Template: "leaf"}
	return attackWith(ctx, env, leaf, 2, member("leaf", "leaf", "tree", never))
}

func judgeNeverGateOff(v *history.View) []suites.Finding {
	g := gang(v, "g", podsOf(v, "low-0", "low-1")...)
	c := modest(g.opened("PRE-009"), g)
	return []suites.Finding{
		g.spared(untouchedFor(c, 2), g.legal, "for a gang whose pods never preempt"),
		judgeMixedPolicies(v),
		judgePoliteTree(v),
	}
}

func judgePoliteTree(v *history.View) suites.Finding {
	g := gang(v, "leaf", podsOf(v, "low-tree-0", "low-tree-1")...)
	c := modest(g.opened("PRE-072"), g)
	root, _ := v.Try("make the root")
	leaf := v.Gang("leaf")
	c.Premise(root.OK() && leaf != nil && leaf.Parent == "root", nil, "the gang is under a composite")
	return g.spared(untouchedFor(c, 2), g.legal, "for a tree whose pods never preempt")
}

// judgeMixedPolicies looks at the gang for which there is room, of which one member never preempts.
func judgeMixedPolicies(v *history.View) suites.Finding {
	c := kit.For(v, "GANG-033")
	from, to := c.Watched("came", settled, 2)
	members := kit.CreatedUpTo(v, "mixed", from)
	polite := 0
	for _, p := range members {
		if policy := p.First.Spec.PreemptionPolicy; policy != nil && *policy == corev1.PreemptNever {
			polite++
		}
	}
	c.Premise(len(members) == 2 && polite == 1 && sameAs(members, classes["high"]), nil, "of two members of one priority one never preempts")
	c.Fits(from, members)
	return c.Saw(fmt.Sprintf("%d of %d members bound", len(kit.BoundBetween(v, "mixed", history.Stamp{}, to)), len(members)),
		"what becomes of a gang whose members have different preemption policies")
}
