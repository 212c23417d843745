package engine

import (
	"math"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	helpers "k8s.io/component-helpers/resource"
)

// registry numbers the names of resources, so that amounts are slices and not maps.
type registry struct {
	index map[corev1.ResourceName]int32
	names []corev1.ResourceName
}

// learn numbers the names of a list that are new, in order of name: what a map yields first must not decide anything.
func (r *registry) learn(l corev1.ResourceList) {
	var fresh []corev1.ResourceName
	for name := range l {
		if _, ok := r.index[name]; !ok {
			fresh = append(fresh, name)
		}
	}
	slices.Sort(fresh)
	for _, name := range fresh {
		r.of(name)
	}
}

func (r *registry) of(name corev1.ResourceName) int32 {
	i, ok := r.index[name]
	if !ok {
		i = int32(len(r.names))
		r.index[name] = i
		r.names = append(r.names, name)
	}
	return i
}

// bit marks an extended resource (a name with a domain) in a set; resources beyond the 64th are not told apart.
func (r *registry) bit(i int32) uint64 {
	if i < 64 && strings.Contains(string(r.names[i]), "/") {
		return 1 << i
	}
	return 0
}

// amount is a positive amount of one resource: cpu in thousandths, everything else in its unit.
type amount struct {
	res int32
	v   int64
}

// mostOffered is the most that a node is taken to offer of anything, in the unit amounts are kept in: nine petabytes, or nine
// trillion cores. Requests beyond it are never met; they are cut off at twice as much, so that hundreds of them add up.
const mostOffered = 1 << 53

// value reads a quantity in the unit amounts are kept in, rounded up.
func value(name corev1.ResourceName, q *resource.Quantity) int64 {
	const most = 2 * mostOffered
	if name != corev1.ResourceCPU {
		if q.CmpInt64(most) > 0 {
			return most
		}
		return q.Value()
	}
	if q.CmpInt64(most/1000) > 0 {
		return most
	}
	return q.MilliValue()
}

// offered is value for what a node offers.
func offered(name corev1.ResourceName, q *resource.Quantity) int64 {
	return min(value(name, q), mostOffered)
}

// slotsOf is how many pods a node takes.
func slotsOf(l corev1.ResourceList) int32 { return int32(min(l.Pods().Value(), math.MaxInt32)) }

// amounts are the positive amounts of a list, by index of the resource.
func (r *registry) amounts(l corev1.ResourceList, into []amount) []amount {
	r.learn(l)
	for name, q := range l {
		if v := value(name, &q); v > 0 {
			into = append(into, amount{r.of(name), v})
		}
	}
	for i := 1; i < len(into); i++ { // few: insertion sort
		for j := i; j > 0 && into[j-1].res > into[j].res; j-- {
			into[j-1], into[j] = into[j], into[j-1]
		}
	}
	return into
}

// requestsOf is what a pod asks of a node: containers, init containers and sidecars, overhead, pod-level requests; for a
// pod that runs, what its status says it was given.
func requestsOf(p *corev1.Pod) corev1.ResourceList {
	if l, ok := plainRequests(p); ok {
		return l
	}
	return helpers.PodRequests(p, helpers.PodResourcesOptions{
		UseStatusResources: true, InPlacePodLevelResourcesVerticalScalingEnabled: true,
	})
}

// plainRequests is the answer for the common pod of one container, for which there is nothing to add up.
func plainRequests(p *corev1.Pod) (corev1.ResourceList, bool) {
	if len(p.Spec.Containers) != 1 || len(p.Spec.InitContainers) > 0 || len(p.Spec.Overhead) > 0 || p.Spec.Resources != nil ||
		len(p.Status.ContainerStatuses) > 0 || p.Status.Resources != nil {
		return nil, false
	}
	return p.Spec.Containers[0].Resources.Requests, true
}

// port is a host port a pod takes on its node.
type port struct {
	ip       string
	protocol corev1.Protocol
	number   int32
}

const anyIP = "0.0.0.0"

func (a port) clash(b port) bool {
	return a.number == b.number && a.protocol == b.protocol && (a.ip == b.ip || a.ip == anyIP || b.ip == anyIP)
}

// portsOf are the host ports of the containers that run side by side.
func portsOf(p *corev1.Pod) []port {
	var out []port
	add := func(c *corev1.Container) {
		for _, cp := range c.Ports {
			if cp.HostPort <= 0 {
				continue
			}
			pt := port{ip: cp.HostIP, protocol: cp.Protocol, number: cp.HostPort}
			if pt.ip == "" {
				pt.ip = anyIP
			}
			if pt.protocol == "" {
				pt.protocol = corev1.ProtocolTCP
			}
			out = append(out, pt)
		}
	}
	for i := range p.Spec.InitContainers {
		if c := &p.Spec.InitContainers[i]; c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			add(c)
		}
	}
	for i := range p.Spec.Containers {
		add(&p.Spec.Containers[i])
	}
	return out
}

func clashes(a, b []port) bool {
	for _, x := range a {
		for _, y := range b {
			if x.clash(y) {
				return true
			}
		}
	}
	return false
}
