package oracle

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// Kind is pods that are equal for placement and carry no rules about other pods. Of a kind the nodes do not influence each
// other: on a set of nodes there is room for as many copies as on each of them by itself, added up. Who asks about one
// kind over and over while a cluster changes can keep that sum, instead of asking a Question about the whole each time.
type Kind struct {
	key       string
	shape     *shape
	resources []corev1.ResourceName
}

// KindOf is the kind of a pod; ok is false where the pod carries rules about other pods, or cannot be read: ask a Question.
func KindOf(p *corev1.Pod) (k *Kind, ok bool) {
	if hasPodRules(p) {
		return nil, false
	}
	key, err := json.Marshal(alikeOf(p, false))
	if err != nil {
		return nil, false
	}
	s, err := newShape(p)
	if err != nil {
		return nil, false
	}
	q := problem{shapes: []*shape{s}}
	q.indexResources()
	return &Kind{key: string(key), shape: s, resources: q.resources}, true
}

// SurelyAlike is a cheap look at two pods that share what they were decoded from: true means that both are of one kind if
// either has one; false means nothing.
func SurelyAlike(a, b *corev1.Pod) bool {
	x, y := &a.Spec, &b.Spec
	bare := func(s *corev1.PodSpec, p *corev1.Pod) bool {
		return len(s.Containers) > 0 && len(s.InitContainers)+len(s.TopologySpreadConstraints) == 0 && s.Affinity == nil &&
			s.Overhead == nil && s.Resources == nil && p.Status.ExtendedResourceClaimStatus == nil && p.Status.Resources == nil &&
			len(p.Status.ContainerStatuses) == 0
	}
	return bare(x, a) && bare(y, b) && len(x.Containers) == len(y.Containers) && &x.Containers[0] == &y.Containers[0] &&
		maps.Equal(x.NodeSelector, y.NodeSelector) && slices.EqualFunc(x.Tolerations, y.Tolerations, func(s, t corev1.Toleration) bool {
		return equality.Semantic.DeepEqual(s, t)
	})
}

// Key is equal for pods of one kind and differs between kinds.
func (k *Kind) Key() string { return k.key }

// Stand is a node with the pods that stand on it, read once to be asked about many kinds.
type Stand struct {
	node     *corev1.Node
	free     map[corev1.ResourceName]int64 // without what it does not offer
	taken    map[corev1.ResourceName]int64
	freePods int
	ports    []port
}

// StandOf reads a node. Finished pods (Succeeded, Failed) take nothing.
func StandOf(n Node) *Stand {
	site := (&problem{}).newSite(n)
	s := &Stand{node: site.node, free: amounts(n.Allocatable), taken: map[corev1.ResourceName]int64{}, freePods: site.freePods}
	for _, e := range site.placed {
		for name, v := range amounts(requestsOf(e)) {
			s.taken[name] += v
		}
		s.ports = append(s.ports, portsOf(e)...)
	}
	return s
}

// Copies is how many pods of the kind can be added to what stands there. An error means that the kind's node affinity
// cannot be parsed. Rules that pods placed already carry about new ones are not looked at: see Bars.
func (s *Stand) Copies(k *Kind) (int, error) {
	ok, err := nodeAllows(s.node, k.shape)
	if err != nil {
		return 0, fmt.Errorf("asking about one kind of pod: %w", err)
	}
	if !ok || clash(k.shape.ports, s.ports) {
		return 0, nil
	}
	q := problem{shapes: []*shape{{ports: k.shape.ports, requests: k.shape.requests}}}
	site := &site{allowed: []bool{true}}
	free := make([]int64, len(k.resources))
	for i, name := range k.resources {
		free[i] = s.free[name] - s.taken[name]
	}
	return q.copies(site, 0, free, s.freePods, vector{0}, s.freePods), nil
}

// Bars reports whether a placed pod may keep others away from its surroundings by required anti-affinity.
func Bars(p *corev1.Pod) bool {
	_, anti := requiredTerms(p)
	return len(anti) > 0
}
