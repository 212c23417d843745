package engine

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// pod is what is kept of a pod. Half a million of them must fit, so it holds no API object.
type pod struct {
	Key
	uid     types.UID
	shape   *shape
	labels  *labelSet
	group   *group // nil for a pod of its own
	claims  []*claim
	uses    []use // of resource claims
	created int64 // seconds since 1970

	scheduler string
	priority  int32
	node      int32  // where it stands, stood, or is assumed to; noNode
	inSet     int32  // place in the namespace's pods
	inGroup   int32  // place in the group's pending or settled
	ephemeral uint16 // so many of the claims, the first, are those of ephemeral volumes
	phase     phase

	holds       bool // takes room on its node
	assumed     bool // its node comes from Assume and was not confirmed
	terminating bool
	never       bool // preemption policy Never
	doomed      bool // chosen as a victim; its deletion was not seen yet
}

const noNode = -1

type phase uint8

const (
	pending  phase = iota // without node, may be placed
	gated                 // without node, has scheduling gates
	bound                 // has a node, alive
	finished              // succeeded or failed
	leaving               // without node, being deleted
)

func phaseOf(obj *corev1.Pod) phase {
	switch {
	case obj.Status.Phase == corev1.PodSucceeded || obj.Status.Phase == corev1.PodFailed:
		return finished
	case obj.Spec.NodeName != "":
		return bound
	case obj.DeletionTimestamp != nil:
		return leaving
	case len(obj.Spec.SchedulingGates) > 0:
		return gated
	}
	return pending
}

// UpsertPod tells that a pod exists and what it looks like: pods of every scheduler, bound ones and finished ones too.
// It returns the root the pod belongs to. Nothing of the object is kept but strings.
func (e *Engine) UpsertPod(obj *corev1.Pod) Root {
	k := Key{obj.Namespace, obj.Name}
	p := e.pods[k]
	if p != nil && p.uid != obj.UID {
		e.DeletePod(k)
		p = nil
	}
	var old held
	was := p != nil && p.phase == pending
	if p == nil {
		p = &pod{Key: k, uid: obj.UID, node: noNode, created: obj.CreationTimestamp.Unix()}
		e.pods[k] = p
	} else {
		if e.unchanged(p, obj) {
			return e.rootOf(p)
		}
		old = e.unlink(p)
	}
	e.read(p, obj)
	e.link(p, obj.Spec.NodeName)
	e.drop(old) // last, so that what is shared with the new state survives
	e.movedOn(k, p.phase == pending, p.holds)
	r := e.rootOf(p)
	if p.phase == pending || was || p.group != nil {
		e.waiting.wake(r)
	}
	return r
}

// held are the references a pod owns.
type held struct {
	shape  *shape
	labels *labelSet
	group  *group
	claims []*claim
	node   *node
}

func (e *Engine) drop(h held) {
	if h.shape == nil {
		return
	}
	if h.group != nil {
		e.dropGroup(h.group)
	}
	for _, c := range h.claims {
		e.dropClaim(c)
	}
	e.dropLabelSet(h.labels)
	e.dropShape(h.shape)
	if h.node != nil {
		e.release(h.node)
	}
}

// unchanged is the quick test for the updates that say nothing new: an assumed pod seen bound where it was assumed.
func (e *Engine) unchanged(p *pod, obj *corev1.Pod) bool {
	if phaseOf(obj) != bound || p.phase != bound || p.terminating != (obj.DeletionTimestamp != nil) || e.nodes[p.node].name != obj.Spec.NodeName || !p.holds {
		return false
	}
	if p.assumed {
		p.assumed = false
		if p.group != nil {
			p.group.assumed--
			p.group.check()
		}
	}
	s := e.shapeOf(obj)
	l := e.labelSetOf(obj.Namespace, obj.Labels)
	same := s == p.shape.plain() && l == p.labels
	e.dropShape(s)
	e.dropLabelSet(l)
	return same
}

// read takes over what the object says.
func (e *Engine) read(p *pod, obj *corev1.Pod) {
	p.shape = e.shapeOf(obj)
	p.labels = e.labelSetOf(obj.Namespace, obj.Labels)
	p.scheduler = obj.Spec.SchedulerName
	p.priority = 0
	if obj.Spec.Priority != nil {
		p.priority = *obj.Spec.Priority
	}
	p.never = obj.Spec.PreemptionPolicy != nil && *obj.Spec.PreemptionPolicy == corev1.PreemptNever
	p.terminating = obj.DeletionTimestamp != nil
	p.phase = phaseOf(obj)
	claims, ephemeral := e.claimsOf(obj)
	p.claims, p.ephemeral = claims, uint16(ephemeral)
	p.uses = e.usesOf(obj)
	if g := obj.Spec.SchedulingGroup; g != nil && g.PodGroupName != nil {
		p.group = e.groupFor(groupKey{KindPodGroup, Key{obj.Namespace, *g.PodGroupName}})
	}
}

// link puts a pod that was read into everything that knows of pods.
func (e *Engine) link(p *pod, nodeName string) {
	ns := p.labels.ns
	p.inSet = int32(len(ns.pods))
	ns.pods = append(ns.pods, p)
	keep := p.node
	p.node = noNode
	switch {
	case nodeName != "":
		n := e.nodeFor(nodeName)
		p.assumed = false
		p.node = n.id
		n.named++
	case p.phase == pending && p.assumed: // the bind is under way
		p.phase = bound
		p.node = keep
		e.nodes[keep].named++
	default:
		p.assumed = false
	}
	if p.phase == bound {
		e.put(p, p.node)
	}
	if p.group != nil {
		p.group.add(p)
	}
	for _, c := range p.claims {
		c.pods++
	}
	e.linkDevices(p)
}

// unlink is the reverse; the node of an assumption is remembered in the pod for link. The references the pod owned are
// returned, to be dropped.
func (e *Engine) unlink(p *pod) held {
	h := held{shape: p.shape, labels: p.labels, group: p.group, claims: p.claims}
	if p.group != nil {
		p.group.remove(p)
	}
	id := p.node
	if p.holds {
		e.take(p)
		e.waiting.changed = true
	}
	if id != noNode {
		h.node = e.nodes[id]
		h.node.named--
	}
	for _, c := range p.claims {
		c.pods--
	}
	e.unlinkDevices(p)
	ns := p.labels.ns
	last := ns.pods[len(ns.pods)-1]
	ns.pods[p.inSet], last.inSet = last, p.inSet
	ns.pods[len(ns.pods)-1] = nil
	ns.pods = ns.pods[:len(ns.pods)-1]
	p.node, p.group, p.claims, p.uses, p.shape, p.labels = id, nil, nil, nil, nil, nil
	return h
}

// DeletePod tells that a pod is gone.
func (e *Engine) DeletePod(k Key) {
	p := e.pods[k]
	if p == nil {
		return
	}
	r := e.rootOf(p)
	if e.opts.Fault.Ghosts && p.group != nil && !p.holds && p.phase != bound {
		p.group.ghosts++
	}
	e.drop(e.unlink(p))
	delete(e.pods, k)
	e.movedOn(k, false, false)
	e.waiting.wake(r)
}
