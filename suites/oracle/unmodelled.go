package oracle

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Unmodelled lists the parts of a pod that decide where it may stand and that the oracle ignores. While it is empty for
// every pod of a question (placed ones included) the answer is exact; else it is an upper bound.
func Unmodelled(pod *corev1.Pod) []string {
	var out []string
	for _, v := range pod.Spec.Volumes {
		if v.PersistentVolumeClaim != nil || v.Ephemeral != nil {
			out = append(out, fmt.Sprintf("volume %s (claim)", v.Name))
		}
	}
	for _, c := range pod.Spec.ResourceClaims {
		out = append(out, fmt.Sprintf("resource claim %s", c.Name))
	}
	affinity, anti := requiredTerms(pod)
	for _, t := range append(affinity, anti...) {
		if selectsSomeNamespaces(t.NamespaceSelector) {
			out = append(out, fmt.Sprintf("namespace selector of the term on %s", t.TopologyKey))
		}
	}
	return out
}

// selectsSomeNamespaces tells a selector that depends on namespaces' labels from none and from the empty one, which
// selects every namespace.
func selectsSomeNamespaces(s *metav1.LabelSelector) bool {
	return s != nil && (len(s.MatchLabels) > 0 || len(s.MatchExpressions) > 0)
}

// requiredTerms are the required pod affinity and anti-affinity terms of a pod.
func requiredTerms(pod *corev1.Pod) (affinity, anti []corev1.PodAffinityTerm) {
	a := pod.Spec.Affinity
	if a == nil {
		return nil, nil
	}
	if a.PodAffinity != nil {
		affinity = a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	}
	if a.PodAntiAffinity != nil {
		anti = a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	}
	return affinity, anti
}
