package engine

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/version"
	features "k8s.io/component-helpers/nodedeclaredfeatures"
)

// featureRelease is the release whose rules say what a pod asks of its node: a feature that all nodes have by then is not
// asked for.
var featureRelease = version.MustParseGeneric("1.37.0")

// featuresOf are the features a pod asks its node to declare, such as user namespaces beside the network of the host; none
// for nearly all pods.
func featuresOf(p *corev1.Pod) []string {
	set, err := features.DefaultFramework.InferForPodScheduling(&features.PodInfo{Spec: &p.Spec}, featureRelease)
	if err != nil || set.IsEmpty() { // an error there is for a release that is missing
		return nil
	}
	names, err := features.DefaultFramework.Unmap(set)
	if err != nil {
		panic("naming the features of a set of the same framework: " + err.Error())
	}
	return names
}

// declares reports whether the node has every feature the shape asks for.
func (n *node) declares(s *shape) bool {
	for _, f := range s.features {
		if !n.has(f) {
			return false
		}
	}
	return true
}

func (n *node) has(feature string) bool {
	for _, f := range n.features {
		if f == feature {
			return true
		}
	}
	return false
}
