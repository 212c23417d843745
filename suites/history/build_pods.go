package history

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// podTrack is a pod of the view while it is built.
type podTrack struct {
	pod *Pod
	// last is its form before the event at hand.
	last *corev1.Pod
	// form is what a replay shows of it now; nil while it is not there. bound: it shows it on the pod's node, although the
	// form itself is from before the bind.
	form  *corev1.Pod
	bound bool
	seen  seen
}

// seen is how far an object's events have been taken. A relist, or a second recorder of the same cluster, tells
// things again that are known.
type seen struct {
	rv   int64
	gone bool
}

// news reports whether the event tells something new, and takes note of it.
func (s *seen) news(f *Folded) bool {
	rv := revision(f.RV)
	if s.gone || f.Verb != VerbDeleted && rv > 0 && rv <= s.rv {
		return false
	}
	s.rv, s.gone = max(s.rv, rv), f.Verb == VerbDeleted
	return true
}

// outsiders are the pods outside the scope's namespaces. They belong to the view when they turn out to have been bound
// to a node of the scope; until then their events are only remembered, also of those that are gone again: their
// node may be told of after their end, since watches overtake one another.
type outsiders struct {
	events map[string][]*Folded // by UID
	on     map[string][]string  // UIDs by node
}

func (b *Builder) pod(f *Folded) {
	if t := b.pods[f.UID]; t != nil {
		if t.seen.news(f) {
			b.advance(t, f)
		}
		return
	}
	if b.view.Scope.hasNamespace(f.Pod.Namespace) {
		b.begin(f)
		return
	}
	o := &b.outside
	o.events[f.UID] = append(o.events[f.UID], f)
	node := nodeOf(f.Pod)
	switch {
	case node != "" && b.nodeNames[node]:
		b.admit(f.UID)
	case f.Verb == VerbDeleted && node == "":
		delete(o.events, f.UID)
	case node != "" && !slices.Contains(o.on[node], f.UID):
		o.on[node] = append(o.on[node], f.UID)
	}
}

// admit makes an outsider part of the view, from its beginnings.
func (b *Builder) admit(uid string) {
	events := b.outside.events[uid]
	delete(b.outside.events, uid)
	for i, f := range events {
		if i == 0 {
			b.begin(f)
			continue
		}
		b.pod(f)
	}
}

// admitOn admits the outsiders of a node that has just become one of the scope's.
func (b *Builder) admitOn(node string) {
	uids := b.outside.on[node]
	delete(b.outside.on, node)
	for _, uid := range uids {
		b.admit(uid)
	}
}

func (b *Builder) begin(f *Folded) {
	obj := f.Pod
	p := &Pod{
		Namespace: obj.Namespace, Name: obj.Name, UID: f.UID,
		SchedulerName: obj.Spec.SchedulerName,
		First:         obj,
		Created:       f.At,
		Ours:          slices.Contains(b.view.Header.Scheduler.SchedulerNames, obj.Spec.SchedulerName),
		BornBound:     nodeOf(obj) != "",
		Conditions:    map[string][]At[Condition]{},
	}
	if obj.Spec.Priority != nil {
		p.Priority = *obj.Spec.Priority
	}
	if b.reader != nil {
		p.Gang, _ = b.reader.Member(obj)
	}
	t := &podTrack{pod: p, last: &corev1.Pod{}}
	t.seen.news(f)
	b.pods[f.UID] = t
	b.view.addPod(p)
	p.Gated = append(p.Gated, At[bool]{f.At, len(obj.Spec.SchedulingGates) > 0})
	b.advance(t, f)
}

func (b *Builder) advance(t *podTrack, f *Folded) {
	p, obj := t.pod, f.Pod
	p.Object = obj
	if p.Bound.IsZero() && nodeOf(obj) != "" {
		p.Bound, p.Node = f.At, nodeOf(obj)
		p.ByDriver = b.driver.did(p)
	}
	if p.Deleting.IsZero() && (obj.DeletionTimestamp != nil || f.Verb == VerbDeleted) {
		p.Deleting = f.At
	}
	if p.Finished.IsZero() && finished(obj) {
		p.Finished = f.At
	}
	if f.Verb == VerbDeleted {
		p.Gone = f.At
	}
	p.Gated = changed(p.Gated, f.At, len(obj.Spec.SchedulingGates) > 0)
	if len(p.Nominated) > 0 || obj.Status.NominatedNodeName != "" {
		p.Nominated = changed(p.Nominated, f.At, obj.Status.NominatedNodeName)
	}
	if rejected(t.last, obj) {
		p.Rejected = append(p.Rejected, f.At)
	}
	if !sameConditions(t.last.Status.Conditions, obj.Status.Conditions) {
		noteConditions(p.Conditions, f.At, podConditions(obj))
	}
	t.last = obj
	gone := !p.Gone.IsZero() || finished(obj)
	switch {
	case gone:
		t.form, t.bound = nil, false // nobody asks for the form of what is not there
	case t.form == nil || !samePlace(t.form, obj) || nodeOf(obj) != nodeOf(t.form) && nodeOf(obj) != p.Node:
		t.form, t.bound = obj, false
	default:
		t.bound = nodeOf(obj) != nodeOf(t.form)
	}
	b.view.data.note(change{at: f.At, pod: p, now: t.form, bound: t.bound, gone: gone})
}

// samePlace reports whether two forms of a pod, of which the second follows the first, ask for and take the same room
// (except that the second may be bound where the first is not): then a replay shows the first for both, and the second need
// not be kept. Most events of a pod tell of its status alone.
func samePlace(was, is *corev1.Pod) bool {
	a, b := &was.Spec, &is.Spec
	same := len(a.Containers) == len(b.Containers) && (len(a.Containers) == 0 || &a.Containers[0] == &b.Containers[0])
	return same && (a.NodeName == b.NodeName || a.NodeName == "") && len(a.SchedulingGates) == len(b.SchedulingGates) &&
		was.Generation == is.Generation && was.DeletionTimestamp.Equal(is.DeletionTimestamp) && maps.Equal(was.Labels, is.Labels) &&
		was.Status.ExtendedResourceClaimStatus == is.Status.ExtendedResourceClaimStatus && !resized(was) && !resized(is)
}

// resized reports a pod whose status says what it has been given, beside what it asks for.
func resized(p *corev1.Pod) bool {
	has := func(c corev1.ContainerStatus) bool { return c.Resources != nil || c.AllocatedResources != nil }
	return p.Status.Resources != nil || p.Status.AllocatedResources != nil ||
		slices.ContainsFunc(p.Status.ContainerStatuses, has) || slices.ContainsFunc(p.Status.InitContainerStatuses, has)
}

func finished(p *corev1.Pod) bool {
	return p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed
}

// rejected reports whether an attempt to schedule the pod was turned down between two of its forms: PodScheduled=False
// appeared, or anything in it changed. The condition the API server itself gives to a gated pod is no attempt.
func rejected(was, is *corev1.Pod) bool {
	now := scheduled(is)
	if now == nil || now.Status != corev1.ConditionFalse || now.Reason == corev1.PodReasonSchedulingGated {
		return false
	}
	old := scheduled(was)
	return old == nil || *old != *now
}

func scheduled(p *corev1.Pod) *corev1.PodCondition {
	for i := range p.Status.Conditions {
		if c := &p.Status.Conditions[i]; c.Type == corev1.PodScheduled {
			return c
		}
	}
	return nil
}

// sameConditions is a quick no: a status that was not decoded again shares its list.
func sameConditions(a, b []corev1.PodCondition) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

func podConditions(p *corev1.Pod) map[string]Condition {
	out := make(map[string]Condition, len(p.Status.Conditions))
	for _, c := range p.Status.Conditions {
		out[string(c.Type)] = Condition{Status: string(c.Status), Reason: c.Reason,
			ObservedGeneration: c.ObservedGeneration, LastTransition: c.LastTransitionTime.UTC()}
	}
	return out
}

// changed appends a value to a timeline if it is a new one.
func changed[T comparable](tl []At[T], at Stamp, v T) []At[T] {
	if last, ok := Latest(tl); ok && last == v {
		return tl
	}
	return append(tl, At[T]{at, v})
}

// noteConditions appends what changed to the timelines of conditions. One that disappeared becomes the zero condition.
func noteConditions(tls map[string][]At[Condition], at Stamp, now map[string]Condition) {
	for kind, c := range now {
		tls[kind] = changed(tls[kind], at, c)
	}
	for kind := range tls {
		if _, ok := now[kind]; !ok {
			tls[kind] = changed(tls[kind], at, Condition{})
		}
	}
}
