package oracle

import (
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	helpers "k8s.io/component-helpers/resource"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
)

// shape is a set of pods that are equal for placement: one of them, and how many.
type shape struct {
	pod      *corev1.Pod
	count    int
	requests []int64 // by index of problem.resources
	ports    []port
	where    nodeaffinity.RequiredNodeAffinity
	affinity []term
	anti     []term
	spreads  []spread
	// selfAffine: it matches all its own affinity terms, so the first of its kind may go anywhere.
	selfAffine bool
}

// alike is everything of a pod that decides where it may stand and whom it disturbs. Pods whose alike is equal are
// interchangeable.
type alike struct {
	Namespace   string
	Labels      map[string]string `json:",omitempty"`
	Requests    map[corev1.ResourceName]int64
	Ports       []port                            `json:",omitempty"`
	Selector    map[string]string                 `json:",omitempty"`
	Affinity    *corev1.Affinity                  `json:",omitempty"`
	Tolerations []corev1.Toleration               `json:",omitempty"`
	Spread      []corev1.TopologySpreadConstraint `json:",omitempty"`
}

func alikeOf(p *corev1.Pod, labelsMatter bool) alike {
	a := alike{
		Requests: amounts(requestsOf(p)), Ports: portsOf(p), Selector: p.Spec.NodeSelector, Affinity: p.Spec.Affinity,
		Tolerations: p.Spec.Tolerations, Spread: p.Spec.TopologySpreadConstraints,
	}
	if labelsMatter {
		a.Namespace, a.Labels = p.Namespace, p.Labels
	}
	return a
}

// shapesOf groups pods into shapes, in order of first appearance. Labels only separate pods when some rule among or on
// pods could read them.
func shapesOf(pods []*corev1.Pod, labelsMatter bool) ([]*shape, error) {
	byKey := map[string]*shape{}
	var out []*shape
	for _, p := range pods {
		key, err := json.Marshal(alikeOf(p, labelsMatter))
		if err != nil {
			return nil, fmt.Errorf("comparing pod %s/%s with others: %w", p.Namespace, p.Name, err)
		}
		s := byKey[string(key)]
		if s == nil {
			if s, err = newShape(p); err != nil {
				return nil, err
			}
			byKey[string(key)] = s
			out = append(out, s)
		}
		s.count++
	}
	return out, nil
}

func newShape(p *corev1.Pod) (*shape, error) {
	s := &shape{pod: p, ports: portsOf(p), where: nodeaffinity.GetRequiredNodeAffinity(p)}
	affinity, anti := requiredTerms(p)
	var err error
	if s.affinity, err = parseTerms(p, affinity); err != nil {
		return nil, err
	}
	if s.anti, err = parseTerms(p, anti); err != nil {
		return nil, err
	}
	if s.spreads, err = parseSpreads(p); err != nil {
		return nil, err
	}
	s.selfAffine = len(s.affinity) > 0 && matchesAll(s.affinity, p)
	return s, nil
}

// matchesAll reports whether p is matched by every term: only such a pod satisfies an affinity.
func matchesAll(terms []term, p *corev1.Pod) bool {
	for _, t := range terms {
		if !t.matches(p) {
			return false
		}
	}
	return true
}

// requestsOf is what a pod asks of a node: containers, init containers, sidecars, overhead, pod-level requests, and for
// a pod that runs what its status says was given to it.
//
// Extended resources that its status says devices serve are not asked of the node, which has none of them to offer.
func requestsOf(p *corev1.Pod) corev1.ResourceList {
	out := helpers.PodRequests(p, helpers.PodResourcesOptions{
		UseStatusResources: true, InPlacePodLevelResourcesVerticalScalingEnabled: true,
	})
	if s := p.Status.ExtendedResourceClaimStatus; s != nil {
		for _, m := range s.RequestMappings {
			delete(out, corev1.ResourceName(m.ResourceName))
		}
	}
	return out
}

// amounts are positive quantities as integers: cpu in thousandths, everything else in its unit, rounded up.
func amounts(l corev1.ResourceList) map[corev1.ResourceName]int64 {
	out := make(map[corev1.ResourceName]int64, len(l))
	for name, q := range l {
		v := q.Value()
		if name == corev1.ResourceCPU {
			v = q.MilliValue()
		}
		if v > 0 {
			out[name] = v
		}
	}
	return out
}

// port is a host port a pod takes on its node.
type port struct {
	IP       string
	Protocol corev1.Protocol
	Port     int32
}

func portsOf(p *corev1.Pod) []port {
	var out []port
	collect := func(cs []corev1.Container, sidecarsOnly bool) {
		for _, c := range cs {
			if sidecarsOnly && (c.RestartPolicy == nil || *c.RestartPolicy != corev1.ContainerRestartPolicyAlways) {
				continue
			}
			for _, cp := range c.Ports {
				if cp.HostPort <= 0 {
					continue
				}
				pt := port{IP: cp.HostIP, Protocol: cp.Protocol, Port: cp.HostPort}
				if pt.IP == "" {
					pt.IP = anyIP
				}
				if pt.Protocol == "" {
					pt.Protocol = corev1.ProtocolTCP
				}
				out = append(out, pt)
			}
		}
	}
	collect(p.Spec.InitContainers, true)
	collect(p.Spec.Containers, false)
	return out
}

const anyIP = "0.0.0.0"

// clash reports whether two pods with these host ports cannot share a node.
func clash(a, b []port) bool {
	for _, x := range a {
		for _, y := range b {
			if x.Port == y.Port && x.Protocol == y.Protocol && (x.IP == y.IP || x.IP == anyIP || y.IP == anyIP) {
				return true
			}
		}
	}
	return false
}
