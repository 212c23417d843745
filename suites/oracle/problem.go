package oracle

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	v1helpers "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/klog/v2"
)

// problem is a question, read: nodes as free amounts, pods as shapes, and which shape is not ruled out on which node
// by what never changes.
type problem struct {
	resources []corev1.ResourceName
	shapes    []*shape
	sites     []*site
}

// site is a node: what is free on it, and for each shape whether the node's own properties and the pods placed already
// allow it at all.
type site struct {
	node     *corev1.Node
	placed   []*corev1.Pod
	free     []int64 // by index of problem.resources; negative on an overcommitted node
	freePods int
	allowed  []bool
}

func newProblem(nodes []Node, pods []*corev1.Pod) (*problem, error) {
	p := &problem{}
	labelsMatter := slices.ContainsFunc(pods, hasPodRules)
	for _, n := range nodes {
		labelsMatter = labelsMatter || slices.ContainsFunc(n.Pods, hasPodRules)
	}
	var err error
	if p.shapes, err = shapesOf(pods, labelsMatter); err != nil {
		return nil, err
	}
	p.indexResources()
	for _, n := range nodes {
		p.sites = append(p.sites, p.newSite(n))
	}
	taken, err := p.takenDomains()
	if err != nil {
		return nil, err
	}
	for _, s := range p.sites {
		for i, sh := range p.shapes {
			ok, err := nodeAllows(s.node, sh)
			if err != nil {
				return nil, err
			}
			s.allowed[i] = ok && !taken[i].holds(s.node.Labels) && !slices.ContainsFunc(s.placed, func(e *corev1.Pod) bool {
				return clash(sh.ports, portsOf(e))
			})
		}
	}
	return p, nil
}

// hasPodRules reports whether a pod carries rules that read other pods' labels.
func hasPodRules(p *corev1.Pod) bool {
	affinity, anti := requiredTerms(p)
	return len(affinity)+len(anti)+len(p.Spec.TopologySpreadConstraints) > 0
}

// indexResources numbers the resources that some shape asks for; nothing else matters.
func (p *problem) indexResources() {
	seen := map[corev1.ResourceName]bool{}
	for _, s := range p.shapes {
		for name := range amounts(requestsOf(s.pod)) {
			if !seen[name] {
				seen[name] = true
				p.resources = append(p.resources, name)
			}
		}
	}
	slices.Sort(p.resources)
	for _, s := range p.shapes {
		a := amounts(requestsOf(s.pod))
		s.requests = make([]int64, len(p.resources))
		for i, name := range p.resources {
			s.requests[i] = a[name]
		}
	}
}

func (p *problem) newSite(n Node) *site {
	s := &site{
		node: &corev1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: n.Name, Labels: n.Labels},
			Spec:       corev1.NodeSpec{Taints: n.Taints, Unschedulable: n.Unschedulable},
		},
		free: make([]int64, len(p.resources)), allowed: make([]bool, len(p.shapes)),
		freePods: int(n.Allocatable.Pods().Value()),
	}
	has := amounts(n.Allocatable)
	for i, name := range p.resources {
		s.free[i] = has[name]
	}
	for _, e := range n.Pods {
		if e.Status.Phase == corev1.PodSucceeded || e.Status.Phase == corev1.PodFailed {
			continue
		}
		s.placed = append(s.placed, e)
		s.freePods--
		a := amounts(requestsOf(e))
		for i, name := range p.resources {
			s.free[i] -= a[name]
		}
	}
	return s
}

// nodeAllows looks at what the node says about itself: selector and node affinity, cordon, taints.
func nodeAllows(n *corev1.Node, s *shape) (bool, error) {
	tolerates := func(t *corev1.Taint) bool {
		return v1helpers.TolerationsTolerateTaint(klog.Background(), s.pod.Spec.Tolerations, t, true)
	}
	if n.Spec.Unschedulable && !tolerates(&corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}) {
		return false, nil
	}
	if !toleratesAll(n, tolerates) {
		return false, nil
	}
	ok, err := s.where.Match(n)
	if err != nil {
		return false, fmt.Errorf("matching the node affinity of pod %s/%s: %w", s.pod.Namespace, s.pod.Name, err)
	}
	return ok, nil
}

func toleratesAll(n *corev1.Node, tolerates func(*corev1.Taint) bool) bool {
	for i := range n.Spec.Taints {
		t := &n.Spec.Taints[i]
		if (t.Effect == corev1.TaintEffectNoSchedule || t.Effect == corev1.TaintEffectNoExecute) && !tolerates(t) {
			return false
		}
	}
	return true
}

// domainSet is a set of topology domains: key and value.
type domainSet map[[2]string]bool

func (d domainSet) add(key string, labels map[string]string) {
	if v, ok := labels[key]; ok {
		d[[2]string{key, v}] = true
	}
}

// holds reports whether a node with these labels lies in one of the domains.
func (d domainSet) holds(labels map[string]string) bool {
	for kv := range d {
		if v, ok := labels[kv[0]]; ok && v == kv[1] {
			return true
		}
	}
	return false
}

// takenDomains are, for each shape, the domains closed to it by anti-affinity between it and pods placed already, in
// either direction.
func (p *problem) takenDomains() ([]domainSet, error) {
	out := make([]domainSet, len(p.shapes))
	for i := range out {
		out[i] = domainSet{}
	}
	for _, s := range p.sites {
		for _, e := range s.placed {
			_, raw := requiredTerms(e)
			theirs, err := parseTerms(e, raw)
			if err != nil {
				return nil, err
			}
			for i, sh := range p.shapes {
				for _, t := range theirs {
					if t.matches(sh.pod) {
						out[i].add(t.key, s.node.Labels)
					}
				}
				for _, t := range sh.anti {
					if t.matches(e) {
						out[i].add(t.key, s.node.Labels)
					}
				}
			}
		}
	}
	return out, nil
}

// within is the same problem with placement confined to one domain. What stands elsewhere is still seen.
func (p *problem) within(key, value string) *problem {
	q := *p
	q.sites = nil
	for _, s := range p.sites {
		t := *s
		if v, ok := s.node.Labels[key]; !ok || v != value {
			t.allowed = make([]bool, len(p.shapes))
		}
		q.sites = append(q.sites, &t)
	}
	return &q
}

// class tells sites apart by everything the independent count looks at.
func (s *site) class() string {
	var b strings.Builder
	fmt.Fprint(&b, s.freePods, s.free, s.allowed)
	return b.String()
}
