package engine

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"

	"muster/scheduler/engine/devices"
)

// extended is how pods of a shape ask for extended resources. A DeviceClass may offer one through devices; then a node
// that does not offer it itself is asked for devices.
type extended struct {
	names      []corev1.ResourceName
	containers []container // init containers first
	// Derived from the classes:
	epoch   uint64
	classes []string // by name; empty where no class offers it
	offered bool     // some class offers one of them
	on      map[uint64]*devices.Demand
}

// container is one that asks for extended resources, or not.
type container struct {
	name   string
	ends   bool // an init container that is no sidecar: what it had is there for those after it
	amount []int64
	ranks  []int // of each name among all that the container asks for, in order of name
}

func (x *extended) fresh() *extended { return &extended{names: x.names, containers: x.containers} }

// mayBeDevices: the resource is an extended one, neither of Kubernetes itself nor huge pages.
func mayBeDevices(n corev1.ResourceName) bool {
	domain, _, ok := strings.Cut(string(n), "/")
	return ok && (strings.HasPrefix(string(n), resourceapi.ResourceDeviceClassPrefix) || domain != "kubernetes.io" && !strings.HasSuffix(domain, ".kubernetes.io")) &&
		!strings.HasPrefix(string(n), "requests.")
}

// appendExtended adds to a shape's key how its containers ask for extended resources: the claim that is made for a pod
// has a request for each.
func (e *Engine) appendExtended(b []byte, p *corev1.Pod, requests []amount) []byte {
	if !slices.ContainsFunc(requests, func(a amount) bool { return mayBeDevices(e.resources.names[a.res]) }) {
		return b
	}
	for _, list := range [][]corev1.Container{p.Spec.InitContainers, p.Spec.Containers} {
		b = append(b, 'X')
		for i := range list {
			b = fmt.Appendf(b, "%q%v", list[i].Name, list[i].RestartPolicy != nil && *list[i].RestartPolicy == corev1.ContainerRestartPolicyAlways)
			for _, n := range sortedNames(list[i].Resources.Requests) {
				if q := list[i].Resources.Requests[n]; mayBeDevices(n) {
					b = fmt.Appendf(b, "%q%d", n, q.Value())
				} else {
					b = append(b, n...)
				}
			}
		}
	}
	return b
}

func sortedNames(l corev1.ResourceList) []corev1.ResourceName {
	out := make([]corev1.ResourceName, 0, len(l))
	for n := range l {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

// readExtended takes over what appendExtended put into the key.
func (e *Engine) readExtended(s *shape, p *corev1.Pod) {
	x := &extended{}
	for _, a := range s.requests {
		if n := e.resources.names[a.res]; mayBeDevices(n) {
			x.names = append(x.names, n)
		}
	}
	if len(x.names) == 0 || len(x.names) > 64 {
		return
	}
	slices.Sort(x.names)
	add := func(c *corev1.Container, init bool) {
		sidecar := c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways
		out := container{name: c.Name, ends: init && !sidecar}
		all := sortedNames(c.Resources.Requests)
		for _, n := range x.names {
			q := c.Resources.Requests[n]
			out.amount = append(out.amount, q.Value())
			out.ranks = append(out.ranks, max(0, slices.Index(all, n)))
		}
		x.containers = append(x.containers, out)
	}
	for i := range p.Spec.InitContainers {
		add(&p.Spec.InitContainers[i], true)
	}
	for i := range p.Spec.Containers {
		add(&p.Spec.Containers[i], false)
	}
	s.devices.extended = x
}

// know reads which classes offer the resources.
func (e *Engine) know(x *extended) {
	if x.epoch == e.devices.epoch {
		return
	}
	x.epoch, x.on, x.classes, x.offered = e.devices.epoch, map[uint64]*devices.Demand{}, nil, false
	for _, n := range x.names {
		c := e.devices.ClassFor(n)
		x.classes, x.offered = append(x.classes, c), x.offered || c != ""
	}
}

// backed: the node does not offer the resource itself, but a class does, so that devices are counted and not amounts.
func (e *Engine) backed(s *shape, n *node, res int32) bool {
	x := s.devices.extended
	if x == nil || at(n.alloc, res) != 0 {
		return false
	}
	e.know(x)
	i := slices.Index(x.names, e.resources.names[res])
	return i >= 0 && x.classes[i] != ""
}

// through are the resources that a node offers through devices, by bit.
func (e *Engine) through(s *shape, n *node) uint64 {
	set := uint64(0)
	for i, name := range s.devices.extended.names {
		if e.backed(s, n, e.resources.of(name)) {
			set |= 1 << i
		}
	}
	return set
}

// extendedOn is the demand of a shape on a node, extended resources that it offers through devices included.
func (e *Engine) extendedOn(s *shape, n *node) *devices.Demand {
	x := s.devices.extended
	e.know(x)
	set := e.through(s, n)
	if set == 0 {
		return s.devices.demand
	}
	d := x.on[set]
	if d == nil {
		requests, _ := x.requests(set)
		spec := &resourceapi.ResourceClaimSpec{Devices: resourceapi.DeviceClaim{Requests: requests}}
		d = e.devices.DemandOf(append(slices.Clone(s.devices.specs), spec)...)
		x.on[set] = d
	}
	return d
}

// plainExtended: every class that offers one of the resources does so through plain devices.
func (e *Engine) plainExtended(s *shape) bool {
	x := s.devices.extended
	e.know(x)
	for i, class := range x.classes {
		if class == "" {
			continue
		}
		requests, _ := x.requests(1 << i)
		if !e.devices.Plain(e.devices.DemandOf(&resourceapi.ResourceClaimSpec{Devices: resourceapi.DeviceClaim{Requests: requests}})) {
			return false
		}
	}
	return true
}

// requests are those of the claim for the resources of a set, and which container uses which of them. A container that
// ends before others start leaves its devices to them, and several of the kind share the largest request.
func (x *extended) requests(set uint64) ([]resourceapi.DeviceRequest, []corev1.ContainerExtendedResourceRequest) {
	var out []resourceapi.DeviceRequest
	var uses []corev1.ContainerExtendedResourceRequest
	for r, name := range x.names {
		if set&(1<<r) == 0 {
			continue
		}
		named := func(i int) string { return fmt.Sprintf("container-%d-request-%d", i, x.containers[i].ranks[r]) }
		more, biggest := int64(0), -1 // what those that end need beyond what those after them have
		short := map[int]bool{}
		for i, c := range x.containers {
			if c.amount[r] == 0 {
				continue
			}
			if !c.ends {
				out = append(out, exactly(named(i), x.classes[r], c.amount[r]))
				uses = append(uses, corev1.ContainerExtendedResourceRequest{ContainerName: c.name, ResourceName: string(name), RequestName: named(i)})
				continue
			}
			left := c.amount[r]
			for j := i + 1; j < len(x.containers) && left > 0; j++ {
				if o := x.containers[j]; !o.ends && o.amount[r] > 0 {
					left -= o.amount[r]
					uses = append(uses, corev1.ContainerExtendedResourceRequest{ContainerName: c.name, ResourceName: string(name), RequestName: named(j)})
				}
			}
			if left > 0 {
				short[i] = true
				if left > more {
					more, biggest = left, i
				}
			}
		}
		if biggest < 0 {
			continue
		}
		out = append(out, exactly(named(biggest), x.classes[r], more))
		for i, c := range x.containers {
			if short[i] {
				uses = append(uses, corev1.ContainerExtendedResourceRequest{ContainerName: c.name, ResourceName: string(name), RequestName: named(biggest)})
			}
		}
	}
	slices.SortFunc(out, func(a, b resourceapi.DeviceRequest) int { return strings.Compare(a.Name, b.Name) })
	return out, uses
}

func exactly(name, class string, n int64) resourceapi.DeviceRequest {
	return resourceapi.DeviceRequest{Name: name, Exactly: &resourceapi.ExactDeviceRequest{DeviceClassName: class,
		AllocationMode: resourceapi.DeviceAllocationModeExactCount, Count: n}}
}
