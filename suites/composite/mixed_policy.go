package composite

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

// mixedTree is a root m that preempts, with the composite mm below it that never does: two gangs of one pod each, which
// agree with the root.
func mixedTree(ctx context.Context, env suites.Env, never string) error {
	high := env.PriorityClass("high")
	for _, c := range []struct {
		name, class, parent string
		policy              corev1.PreemptionPolicy
		children            int64
	}{{"m", high, "", corev1.PreemptLowerPriority, 1}, {"mm", never, "m", corev1.PreemptNever, 2}} {
		more := map[string]any{"workloadRef": workloadRef(), "schedulingPolicy": gangPolicy("minGroupCount", c.children)}
		if c.parent != "" {
			more["parentCompositePodGroupName"] = c.parent
		}
		if err := env.Create(ctx, compositeGVR, &unstructured.Unstructured{Object: stated("CompositePodGroup", c.name, c.class, c.policy, more)}); err != nil {
			return err
		}
	}
	return statedLeaves(ctx, env, "m", "mm", "mixed", high, corev1.PreemptLowerPriority)
}

func judgeMixedPolicy(v *history.View) suites.Finding {
	low := kit.Named(v, "low-mixed-0", "low-mixed-1")
	c, members, from := outranked(v, "CPG-053", "m", low)
	root, inner := v.Composite("m"), v.Composite("mm")
	// Where policies are kept at all, admission lets none differ from its class.
	c.Premise(root != nil && inner != nil && inner.Parent == "m" && root.Priority == inner.Priority && root.PriorityClass != inner.PriorityClass, nil,
		"a composite below the root was of another class of the same priority")
	_, to := c.Watched("created", "watched", 2)
	return c.About(to, kit.Objects(members)...).Saw(
		fmt.Sprintf("%d of %d pods of lower priority evicted, %d of %d pods of the tree bound",
			len(kit.DisturbedBetween(low, from, to)), len(low), len(standing(v, to, "ma", "mb")), len(members)),
		"a tree that preempts lower priorities, with a composite in it that never preempts")
}
