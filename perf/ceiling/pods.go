package ceiling

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

func finished(o *corev1.Pod) bool {
	return o.Status.Phase == corev1.PodSucceeded || o.Status.Phase == corev1.PodFailed
}

func (w *world) upsertPod(o *corev1.Pod) {
	k := key{o.Namespace, o.Name}
	p := w.pods[k]
	if p != nil && (p.uid != o.UID || finished(o)) {
		w.drop(p)
		p = nil
	}
	if finished(o) {
		return
	}
	if o.Spec.NodeName != "" {
		w.seenBound(p, k, o)
		return
	}
	if !slices.Contains(w.ours, o.Spec.SchedulerName) {
		return
	}
	if p == nil {
		p = &pod{key: k, uid: o.UID, needs: w.names.needs(o), view: viewKey(o)}
		w.pods[k] = p
		w.join(p, o)
	}
	if p.node != nil {
		return // its bind is under way
	}
	p.obj = o
	ready := len(o.Spec.SchedulingGates) == 0 && o.DeletionTimestamp == nil && w.claimed(p, o)
	if ready == p.ready {
		return
	}
	p.ready = ready
	if g := p.group; g != nil {
		delete(g.waiting, p)
		if ready {
			g.waiting[p] = true
		}
	}
	if ready {
		w.wake(p)
	}
}

// wake places a pod, or what it completes.
func (w *world) wake(p *pod) {
	if !w.live {
		return
	}
	if p.group != nil {
		w.consider(p.group)
		return
	}
	w.place(p)
}

// seenBound takes the room of a pod that has a node, whoever gave it.
func (w *world) seenBound(p *pod, k key, o *corev1.Pod) {
	n := w.nodeNamed(o.Spec.NodeName)
	if p == nil {
		p = &pod{key: k, uid: o.UID, needs: w.names.needs(o)}
		w.pods[k] = p
		w.join(p, o)
	}
	if p.node != n {
		w.roomier = w.roomier || p.node != nil
		w.free(p)
		p.node = n
		n.charge(p.needs, 1)
		if g := p.group; g != nil {
			g.placed++
			delete(g.waiting, p)
		}
	}
	w.confirmed(p)
}

// confirmed notes that a pod is bound, once.
func (w *world) confirmed(p *pod) {
	if p.bound || p.node == nil {
		return
	}
	p.bound, p.obj = true, nil
	if g := p.group; g != nil {
		g.bound++
		w.tell(g)
	}
}

// join puts a pod among the members of its group.
func (w *world) join(p *pod, o *corev1.Pod) {
	if g := o.Spec.SchedulingGroup; g != nil && g.PodGroupName != nil {
		p.group = w.groupNamed(key{o.Namespace, *g.PodGroupName})
		p.group.members[p] = true
	}
}

func (w *world) deletePod(k key, uid types.UID) {
	if p := w.pods[k]; p != nil && p.uid == uid {
		w.drop(p)
	}
}

// drop forgets a pod and frees its room.
func (w *world) drop(p *pod) {
	w.roomier = w.roomier || p.node != nil
	w.free(p)
	delete(w.pods, p.key)
	delete(w.stuckPods, p)
	for _, waiting := range w.awaiting {
		delete(waiting, p)
	}
	if g := p.group; g != nil {
		delete(g.members, p)
		delete(g.waiting, p)
		w.forgetEmpty(g)
	}
}

// free gives the room of a pod back.
func (w *world) free(p *pod) {
	if p.node == nil {
		return
	}
	p.node.charge(p.needs, -1)
	if g := p.group; g != nil {
		g.placed--
		if p.bound {
			g.bound--
		}
		if p.ready && p.obj != nil {
			g.waiting[p] = true
		}
	}
	for _, c := range p.claims {
		if !c.sent {
			w.release(c)
		}
	}
	p.node, p.bound = nil, false
}

// place a pod of its own.
func (w *world) place(p *pod) {
	if !p.ready || p.node != nil || p.obj == nil {
		return
	}
	v := w.view(p.view, p.obj)
	n := v.all.next(p, w.names.ports)
	if n == nil {
		w.stuckPods[p] = true
		return
	}
	w.assume(p, n)
	w.send(p)
}

// assume gives a pod its room.
func (w *world) assume(p *pod, n *node) {
	p.node = n
	n.charge(p.needs, 1)
	w.take(p)
	if g := p.group; g != nil {
		g.placed++
		delete(g.waiting, p)
	}
}

// send has a pod bound that has a place.
func (w *world) send(p *pod) {
	for _, c := range p.claims {
		c.sent = true
	}
	w.emit(&job{pod: p, uid: p.uid, node: p.node.name})
}

// tries of one pod's bind. The client library has repeated by then what the server asked to repeat.
const tries = 5

// failed gives a pod back that could not be bound, and places it anew; after the last try it is left alone.
func (w *world) failed(p *pod) {
	if w.pods[p.key] != p || p.bound || p.node == nil {
		return
	}
	for _, c := range p.claims {
		c.sent = c.obj.Status.Allocation != nil
	}
	w.free(p)
	w.roomier = true
	if p.failures++; p.failures >= tries {
		p.ready = false
		if p.group != nil {
			delete(p.group.waiting, p)
		}
		return
	}
	if p.group != nil {
		w.stuckGroups[p.group] = true
		return
	}
	w.stuckPods[p] = true
}
