package field

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	resourcehelper "k8s.io/component-helpers/resource"

	"muster/suites/history"
	"muster/suites/kit"
)

// sumSuffices is the premise that at the stamp the free capacity of all the scenario's nodes together, resource by
// resource, covers what the pods ask for: only where it lies can be in the way. The pods themselves hold nothing.
func sumSuffices(c *kit.Case, v *history.View, at history.Stamp, pods []*history.Pod) {
	if at.IsZero() {
		return // the missing mark is said already
	}
	free, need := corev1.ResourceList{}, corev1.ResourceList{}
	asking := map[string]bool{}
	for _, p := range pods {
		asking[p.UID] = true
		plus(need, requests(p.First))
	}
	state := v.StateAt(at)
	for _, n := range state.Nodes {
		plus(free, n.Status.Allocatable)
	}
	for uid, p := range state.Pods {
		if p.NodeName != "" && !asking[uid] {
			minus(free, requests(p.Now))
		}
	}
	for name, asked := range need {
		left := free[name]
		c.Premise(left.Cmp(asked) >= 0, nil, "the nodes together have room for the gang: it asks for %s of %s, %s are free",
			asked.String(), name, left.String())
	}
}

// requests is what a pod asks of a node, its place among the node's pods included.
func requests(p *corev1.Pod) corev1.ResourceList {
	out := resourcehelper.PodRequests(p, resourcehelper.PodResourcesOptions{})
	out[corev1.ResourcePods] = resource.MustParse("1")
	return out
}

func plus(sum, more corev1.ResourceList) {
	for name, q := range more {
		have := sum[name]
		have.Add(q)
		sum[name] = have
	}
}

func minus(sum, less corev1.ResourceList) {
	for name, q := range less {
		have := sum[name]
		have.Sub(q)
		sum[name] = have
	}
}
