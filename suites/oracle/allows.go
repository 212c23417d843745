package oracle

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
)

// Allows reports whether a node would take the pod for all it says about itself: the pod's node selector and required
// node affinity, the node's taints with effect NoSchedule or NoExecute, its cordon. Room is another question. An error
// means that the pod's affinity cannot be parsed.
func Allows(n *corev1.Node, p *corev1.Pod) (bool, error) {
	return nodeAllows(n, &shape{pod: p, where: nodeaffinity.GetRequiredNodeAffinity(p)})
}
