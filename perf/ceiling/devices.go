package ceiling

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/types"
)

// device of a node, as allocations name it.
type device struct{ driver, pool, name string }

// slice is what a ResourceSlice publishes for one node.
type slice struct {
	node    *node
	devices []device
}

// claim is a ResourceClaim of one pod. Which class and which attributes it asks for is not looked at: a device is a
// device.
type claim struct {
	obj *resourcev1.ResourceClaim
	// count of devices it asks for, in the order of its requests.
	requests []request
	// held devices; none: not allocated.
	held []device
	// sent: its allocation may have been written, so that only the API server can say that it is not.
	sent bool
}

type request struct {
	name  string
	count int
}

// count of devices a claim asks for. Requests that leave a choice count by their first alternative.
func (c *claim) count() (n int) {
	for _, r := range c.requests {
		n += r.count
	}
	return n
}

func requests(o *resourcev1.ResourceClaim) []request {
	var out []request
	for _, r := range o.Spec.Devices.Requests {
		switch {
		case r.Exactly != nil:
			out = append(out, request{r.Name, max(int(r.Exactly.Count), 1)})
		case len(r.FirstAvailable) > 0:
			first := r.FirstAvailable[0]
			out = append(out, request{r.Name + "/" + first.Name, max(int(first.Count), 1)})
		}
	}
	return out
}

func (w *world) upsertSlice(o *resourcev1.ResourceSlice) {
	w.deleteSlice(o.Name)
	if o.Spec.NodeName == nil {
		return // devices of the network belong to no node's counter
	}
	s := &slice{node: w.nodeNamed(*o.Spec.NodeName)}
	for _, d := range o.Spec.Devices {
		d := device{o.Spec.Driver, o.Spec.Pool.Name, d.Name}
		s.devices = append(s.devices, d)
		w.owners[d] = s.node
		if !w.held[d] {
			s.node.free = append(s.node.free, d)
		}
	}
	w.slices[o.Name] = s
	w.roomier = true
}

func (w *world) deleteSlice(name string) {
	s := w.slices[name]
	if s == nil {
		return
	}
	delete(w.slices, name)
	for _, d := range s.devices {
		delete(w.owners, d)
	}
	s.node.free = slices.DeleteFunc(s.node.free, func(d device) bool { return slices.Contains(s.devices, d) })
}

func (w *world) upsertClaim(o *resourcev1.ResourceClaim) {
	k := key{o.Namespace, o.Name}
	c := w.claims[k]
	if c == nil || c.obj.UID != o.UID {
		if c != nil {
			w.deleteClaim(k, c.obj.UID)
		}
		c = &claim{requests: requests(o)}
		w.claims[k] = c
	} else if c.obj.Status.Allocation != nil && o.Status.Allocation == nil {
		w.roomier = true
		w.release(c) // its consumers are gone, and somebody has given its devices back
	}
	c.obj = o
	w.holds(c)
	waiting := w.awaiting[k]
	delete(w.awaiting, k)
	for p := range waiting {
		if p.obj != nil && w.pods[p.key] == p {
			w.upsertPod(p.obj)
		}
	}
}

// holds takes the devices of a claim that somebody else has allocated, or a former process of ours.
func (w *world) holds(c *claim) {
	if len(c.held) > 0 || c.obj.Status.Allocation == nil {
		return
	}
	for _, r := range c.obj.Status.Allocation.Devices.Results {
		d := device{r.Driver, r.Pool, r.Device}
		c.held, w.held[d] = append(c.held, d), true
		if n := w.owners[d]; n != nil {
			n.free = slices.DeleteFunc(n.free, func(x device) bool { return x == d })
		}
	}
}

func (w *world) deleteClaim(k key, uid types.UID) {
	if c := w.claims[k]; c != nil && c.obj.UID == uid {
		w.roomier = w.roomier || len(c.held) > 0
		w.release(c)
		delete(w.claims, k)
	}
}

// claimed reports whether all claims of a pod are there, and counts the devices they ask for.
func (w *world) claimed(p *pod, o *corev1.Pod) bool {
	if len(o.Spec.ResourceClaims) == 0 || len(p.claims) > 0 {
		return true
	}
	found, count := []*claim(nil), 0
	for _, ref := range o.Spec.ResourceClaims {
		name := ""
		if ref.ResourceClaimName != nil {
			name = *ref.ResourceClaimName
		}
		for _, s := range o.Status.ResourceClaimStatuses {
			if s.Name == ref.Name && s.ResourceClaimName != nil {
				name = *s.ResourceClaimName
			}
		}
		if name == "" {
			return false // not generated yet; the pod's status will say
		}
		k := key{o.Namespace, name}
		c := w.claims[k]
		if c == nil {
			if w.awaiting[k] == nil {
				w.awaiting[k] = map[*pod]bool{}
			}
			w.awaiting[k][p] = true
			return false
		}
		found = append(found, c)
		if c.obj.Status.Allocation == nil {
			count += c.count()
		}
	}
	p.claims, p.devices = found, count
	return true
}

// take gives the claims of a pod that has a place their devices.
func (w *world) take(p *pod) {
	for _, c := range p.claims {
		if len(c.held) > 0 || c.obj.Status.Allocation != nil {
			continue
		}
		n := min(c.count(), len(p.node.free))
		c.held = slices.Clone(p.node.free[:n])
		p.node.free = p.node.free[n:]
		for _, d := range c.held {
			w.held[d] = true
		}
	}
}

func (w *world) release(c *claim) {
	for _, d := range c.held {
		delete(w.held, d)
		if n := w.owners[d]; n != nil {
			n.free = append(n.free, d)
		}
	}
	c.held, c.sent = nil, false
}
