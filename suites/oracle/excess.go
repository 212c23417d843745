package oracle

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// Excess says in what way a node carries more than it offers because of pod p, one of n.Pods: amounts that p asks for
// and of which all pods together ask more than is allocatable, more pods than allowed, a host port that another pod has
// as well. Each entry reads as "nvidia.com/gpu: 5 requested, 4 allocatable"; cpu is in thousandths. Empty: in no way.
func Excess(n Node, p *corev1.Pod) []string {
	var out []string
	asked := map[corev1.ResourceName]int64{}
	pods := 0
	for _, e := range n.Pods {
		if e.Status.Phase == corev1.PodSucceeded || e.Status.Phase == corev1.PodFailed {
			continue
		}
		pods++
		for name, v := range amounts(requestsOf(e)) {
			asked[name] += v
		}
		if e != p && clash(portsOf(p), portsOf(e)) {
			out = append(out, fmt.Sprintf("host ports: the same as pod %s/%s", e.Namespace, e.Name))
		}
	}
	has := amounts(n.Allocatable)
	for _, name := range slices.Sorted(maps.Keys(amounts(requestsOf(p)))) {
		if asked[name] > has[name] {
			out = append(out, fmt.Sprintf("%s: %d requested, %d allocatable", name, asked[name], has[name]))
		}
	}
	if allowed := int(n.Allocatable.Pods().Value()); pods > allowed {
		out = append(out, fmt.Sprintf("pods: %d, %d allowed", pods, allowed))
	}
	return out
}

// Alike reports whether all the pods are equal for placement: whatever order they are placed in, the same number fits,
// unless their own rules about other pods tie them together (see Ties).
func Alike(pods []*corev1.Pod) bool {
	shapes, err := shapesOf(pods, false)
	return err == nil && len(shapes) <= 1
}

// Ties reports whether a pod carries required rules about other pods (affinity, anti-affinity, DoNotSchedule spread), so
// that the order in which pods are placed may decide how many fit.
func Ties(p *corev1.Pod) bool {
	affinity, anti := requiredTerms(p)
	return len(affinity)+len(anti) > 0 || slices.ContainsFunc(p.Spec.TopologySpreadConstraints, func(c corev1.TopologySpreadConstraint) bool {
		return c.WhenUnsatisfiable == corev1.DoNotSchedule
	})
}
