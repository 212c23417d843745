package mutant

import (
	corev1 "k8s.io/api/core/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"k8s.io/utils/ptr"

	"muster/scheduler/control"
	"muster/scheduler/engine"
)

// ledger is what a fault that evicts at will knows of pods and groups.
type ledger struct {
	pods     map[engine.PodRef]*corev1.Pod // with a node, and not ending
	priority map[engine.Key]int32          // of groups
	also     []engine.PodRef
}

// ledgerIn has a fault keep a ledger, and evict what is written on its list.
func ledgerIn(f *control.Fault) *ledger {
	l := &ledger{pods: map[engine.PodRef]*corev1.Pod{}, priority: map[engine.Key]int32{}}
	f.Pod = func(p *corev1.Pod) {
		r := engine.PodRef{Key: keyOf(p), UID: p.UID}
		delete(l.pods, r)
		if p.Spec.NodeName != "" && p.DeletionTimestamp == nil {
			l.pods[r] = p
		}
	}
	f.PodGone = func(p *corev1.Pod) bool {
		delete(l.pods, engine.PodRef{Key: keyOf(p), UID: p.UID})
		return true
	}
	f.PodGroup = func(g *schedulingv1beta1.PodGroup) { l.priority[keyOf(g)] = ptr.Deref(g.Spec.Priority, 0) }
	f.Also = func() []engine.PodRef {
		out := l.also
		l.also = nil
		return out
	}
	return l
}

// evict puts pods on the list.
func (l *ledger) evict(pods ...engine.PodRef) { l.also = append(l.also, pods...) }

// below is a pod of the namespace that stands at a lower priority; the first by name, of those that spare does not name.
func (l *ledger) below(namespace string, priority int32, spare func(engine.PodRef) bool) (engine.PodRef, bool) {
	var out engine.PodRef
	found := false
	for r, p := range l.pods {
		if r.Namespace != namespace || ptr.Deref(p.Spec.Priority, 0) >= priority || spare != nil && spare(r) {
			continue
		}
		if !found || r.Name < out.Name {
			out, found = r, true
		}
	}
	return out, found
}
