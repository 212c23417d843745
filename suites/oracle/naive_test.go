package oracle_test

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"muster/suites/oracle"
)

// naive answers a question the long way: every order, every node, each rule read again from the objects themselves. It
// shares nothing with the oracle but the question, and it is slow enough to be obviously right only on tiny inputs.
type naive struct {
	nodes []oracle.Node
	on    [][]*corev1.Pod
	key   string
}

func naiveMax(q oracle.Question) int {
	domains := []string{""}
	if q.TopologyKey != "" {
		domains = nil
		for _, n := range q.Nodes {
			if v, ok := n.Labels[q.TopologyKey]; ok && (q.Domain == "" || q.Domain == v) {
				domains = append(domains, v)
			}
		}
	}
	best := 0
	for _, d := range domains {
		s := naive{nodes: q.Nodes, on: make([][]*corev1.Pod, len(q.Nodes)), key: q.TopologyKey}
		for i, n := range q.Nodes {
			s.on[i] = slices.Clone(n.Pods)
		}
		best = max(best, s.most(q.Pods, d))
	}
	return best
}

func (s *naive) most(todo []*corev1.Pod, domain string) int {
	best := 0
	for i, p := range todo {
		rest := slices.Delete(slices.Clone(todo), i, i+1)
		for n := range s.nodes {
			if s.key != "" {
				if v, ok := s.nodes[n].Labels[s.key]; !ok || v != domain {
					continue
				}
			}
			if !s.may(p, n) {
				continue
			}
			s.on[n] = append(s.on[n], p)
			best = max(best, 1+s.most(rest, domain))
			s.on[n] = s.on[n][:len(s.on[n])-1]
			if best == len(todo) {
				return best
			}
		}
	}
	return best
}

func (s *naive) may(p *corev1.Pod, n int) bool {
	node := s.nodes[n]
	if node.Unschedulable || !s.room(p, n) {
		return false
	}
	for _, t := range node.Taints {
		ok := slices.ContainsFunc(p.Spec.Tolerations, func(l corev1.Toleration) bool {
			return l.Key == t.Key && l.Value == t.Value && l.Effect == t.Effect
		})
		if !ok && t.Effect != corev1.TaintEffectPreferNoSchedule {
			return false
		}
	}
	for k, v := range p.Spec.NodeSelector {
		if node.Labels[k] != v {
			return false
		}
	}
	return s.antiOK(p, n) && s.affinityOK(p, n) && s.spreadOK(p, n)
}

func (s *naive) room(p *corev1.Pod, n int) bool {
	alloc := s.nodes[n].Allocatable
	if int64(len(s.on[n])) >= alloc.Pods().Value() {
		return false
	}
	for name, want := range p.Spec.Containers[0].Resources.Requests {
		if want.IsZero() {
			continue
		}
		used := want.DeepCopy()
		for _, o := range s.on[n] {
			used.Add(o.Spec.Containers[0].Resources.Requests[name])
		}
		if have := alloc[name]; used.Cmp(have) > 0 {
			return false
		}
	}
	for _, mine := range p.Spec.Containers[0].Ports {
		for _, o := range s.on[n] {
			for _, theirs := range o.Spec.Containers[0].Ports {
				if mine.HostPort == theirs.HostPort {
					return false
				}
			}
		}
	}
	return true
}

// each calls f for every placed pod with its node.
func (s *naive) each(f func(o *corev1.Pod, n int)) {
	for n := range s.on {
		for _, o := range s.on[n] {
			f(o, n)
		}
	}
}

func speaksOf(t corev1.PodAffinityTerm, owner, p *corev1.Pod) bool {
	sel, _ := metav1.LabelSelectorAsSelector(t.LabelSelector)
	return owner.Namespace == p.Namespace && sel.Matches(labels.Set(p.Labels))
}

func (s *naive) share(a, b int, key string) bool {
	x, ok := s.nodes[a].Labels[key]
	y, also := s.nodes[b].Labels[key]
	return ok && also && x == y
}

func antiTerms(p *corev1.Pod) []corev1.PodAffinityTerm {
	if p.Spec.Affinity == nil || p.Spec.Affinity.PodAntiAffinity == nil {
		return nil
	}
	return p.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution
}

func (s *naive) antiOK(p *corev1.Pod, n int) bool {
	ok := true
	s.each(func(o *corev1.Pod, m int) {
		for _, t := range antiTerms(p) {
			ok = ok && !(speaksOf(t, p, o) && s.share(n, m, t.TopologyKey))
		}
		for _, t := range antiTerms(o) {
			ok = ok && !(speaksOf(t, o, p) && s.share(n, m, t.TopologyKey))
		}
	})
	return ok
}

func (s *naive) affinityOK(p *corev1.Pod, n int) bool {
	if p.Spec.Affinity == nil || p.Spec.Affinity.PodAffinity == nil {
		return true
	}
	terms := p.Spec.Affinity.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	all := func(o *corev1.Pod) bool {
		return !slices.ContainsFunc(terms, func(t corev1.PodAffinityTerm) bool { return !speaksOf(t, p, o) })
	}
	anywhere := false
	near := make([]bool, len(terms))
	for i, t := range terms {
		if _, ok := s.nodes[n].Labels[t.TopologyKey]; !ok {
			return false
		}
		s.each(func(o *corev1.Pod, m int) {
			if _, ok := s.nodes[m].Labels[t.TopologyKey]; ok && all(o) {
				anywhere = true
				near[i] = near[i] || s.share(n, m, t.TopologyKey)
			}
		})
	}
	return !slices.Contains(near, false) || !anywhere && all(p)
}

func (s *naive) spreadOK(p *corev1.Pod, n int) bool {
	for _, c := range p.Spec.TopologySpreadConstraints {
		if _, ok := s.nodes[n].Labels[c.TopologyKey]; !ok {
			return false
		}
		sel, _ := metav1.LabelSelectorAsSelector(c.LabelSelector)
		num := map[string]int{}
		for m, node := range s.nodes {
			counted := true
			for _, o := range p.Spec.TopologySpreadConstraints {
				_, ok := node.Labels[o.TopologyKey]
				counted = counted && ok
			}
			for k, v := range p.Spec.NodeSelector {
				counted = counted && node.Labels[k] == v
			}
			if !counted {
				continue
			}
			num[node.Labels[c.TopologyKey]] += 0
			for _, o := range s.on[m] {
				if o.Namespace == p.Namespace && sel.Matches(labels.Set(o.Labels)) {
					num[node.Labels[c.TopologyKey]]++
				}
			}
		}
		least := 1 << 30
		for _, k := range num {
			least = min(least, k)
		}
		if len(num) == 0 || c.MinDomains != nil && len(num) < int(*c.MinDomains) {
			least = 0
		}
		self := 0
		if sel.Matches(labels.Set(p.Labels)) {
			self = 1
		}
		if num[s.nodes[n].Labels[c.TopologyKey]]+self-least > int(c.MaxSkew) {
			return false
		}
	}
	return true
}
