package premise

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"muster/suites/history"
	"muster/suites/oracle"
)

// question puts a state and the pods asked about into the oracle's words.
func question(s *history.State, pods []*history.Pod) oracle.Question {
	asked := make(map[string]bool, len(pods))
	q := oracle.Question{}
	for _, p := range pods {
		asked[p.UID] = true
		q.Pods = append(q.Pods, specOf(p))
	}
	on := map[string][]*corev1.Pod{}
	for _, uid := range slices.Sorted(maps.Keys(s.Pods)) {
		if p := s.Pods[uid]; p.NodeName != "" && !asked[uid] {
			on[p.NodeName] = append(on[p.NodeName], p.Now)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Nodes)) {
		q.Nodes = append(q.Nodes, oracle.NodeOf(s.Nodes[name], on[name]...))
	}
	if g := commonGang(s, pods); g != nil && g.TopologyKey != "" {
		q.TopologyKey, q.Domain = g.TopologyKey, domainOf(s, g, asked)
	}
	return q
}

// specOf is a pod as it was created, with what is known of it since and decides where it fits: which of its extended
// resources devices serve. A scheduler writes that down when it places the pod.
func specOf(p *history.Pod) *corev1.Pod {
	served := p.Object.Status.ExtendedResourceClaimStatus
	if served == nil {
		return p.First
	}
	out := *p.First
	out.Status.ExtendedResourceClaimStatus = served
	return &out
}

// commonGang is the gang all the pods belong to, as it is in the state; nil for none.
func commonGang(s *history.State, pods []*history.Pod) *history.GangState {
	return s.Gangs[gangOf(pods)]
}

// gangOf is the gang all the pods belong to, as namespace/name; empty for none.
func gangOf(pods []*history.Pod) string {
	if len(pods) == 0 || pods[0].Gang == "" {
		return ""
	}
	for _, p := range pods {
		if p.Namespace != pods[0].Namespace || p.Gang != pods[0].Gang {
			return ""
		}
	}
	return pods[0].Namespace + "/" + pods[0].Gang
}

// domainOf is the domain in which members that are not asked about stand; empty where none does.
func domainOf(s *history.State, g *history.GangState, asked map[string]bool) string {
	first, domain := "", "" // the pod with the first UID has it
	for uid, p := range s.Pods {
		if asked[uid] || first != "" && uid > first || p.Namespace != g.Namespace || p.Gang != g.Name || p.NodeName == "" {
			continue
		}
		if n := s.Nodes[p.NodeName]; n != nil && n.Labels[g.TopologyKey] != "" {
			first, domain = uid, n.Labels[g.TopologyKey]
		}
	}
	return domain
}

// SamePlace reports whether two forms of a node are equal for placement; heartbeats and the like make no difference.
func SamePlace(a, b *corev1.Node) bool {
	return a == b || a.Spec.Unschedulable == b.Spec.Unschedulable && maps.Equal(a.Labels, b.Labels) &&
		equality.Semantic.DeepEqual(a.Spec.Taints, b.Spec.Taints) &&
		equality.Semantic.DeepEqual(a.Status.Allocatable, b.Status.Allocatable)
}
