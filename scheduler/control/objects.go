package control

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"muster/scheduler/engine"
)

// podState is what a condition of a pending pod is decided on.
type podState struct {
	// latest is what spoke of it last: an older notice, of the root it belonged to before, has nothing more to say about it.
	latest *notice
	uid    types.UID
	rv     string
	cond   *metav1.Condition // PodScheduled, as it stands or was asked to be written
	seen   *metav1.Condition // the same, as it stood at rv
	told   time.Time         // when it was last asked to be written
	// nominated is status.nominatedNodeName of a pod, as it stands or was asked to be written.
	nominated string
}

// groupState is the same for a group.
type groupState struct {
	podState
	// final: scheduledCondition is True, or will be; nothing is written after that.
	final bool
}

// podNews turns a pod event into what the loop is to do. An update of a pending pod that says nothing new for placement
// only refreshes what its condition is decided on.
func (s *Scheduler) podNews(old, obj *corev1.Pod) func() {
	if old != nil && obj.Spec.NodeName == "" && sameForPlacement(old, obj) {
		return func() { s.upsertPodState(obj) }
	}
	return func() { s.upsertPod(obj) }
}

func (s *Scheduler) upsertPod(obj *corev1.Pod) {
	_, waited := s.pods[keyOf(obj)]
	s.upsertPodState(obj)
	told := obj
	if s.isOurs(obj.Spec.SchedulerName) {
		told = changed(obj, s.opts.Fault.Pod)
	}
	root := s.engine.UpsertPod(told)
	if _, waits := s.pods[keyOf(obj)]; waited && !waits {
		s.doubtful[root] = true
	}
	// A quorum that is bound (by a former process, or by others) may be waiting for its condition.
	if obj.Spec.NodeName != "" && root.Kind != engine.KindPod && s.isOurs(obj.Spec.SchedulerName) && s.rounds[root] == nil && s.unsaid(obj) {
		s.review[root] = true
	}
}

// unsaid: the pod's group, or one above it, is not known to be scheduled.
func (s *Scheduler) unsaid(obj *corev1.Pod) bool {
	g := obj.Spec.SchedulingGroup
	if g == nil || g.PodGroupName == nil {
		return false
	}
	st := s.groups[groupTarget(engine.KindPodGroup, engine.Key{Namespace: obj.Namespace, Name: *g.PodGroupName})]
	return st == nil || !st.final
}

func (s *Scheduler) upsertPodState(obj *corev1.Pod) {
	k := keyOf(obj)
	done := obj.Status.Phase == corev1.PodSucceeded || obj.Status.Phase == corev1.PodFailed
	if obj.Spec.NodeName != "" || done || obj.DeletionTimestamp != nil || !s.isOurs(obj.Spec.SchedulerName) {
		delete(s.pods, k)
		s.arrived(k)
		if obj.Spec.NodeName == "" {
			s.dropParked(engine.PodRef{Key: k, UID: obj.UID})
		}
		return
	}
	st := s.pods[k]
	if st == nil || st.uid != obj.UID {
		s.arrived(k)
		if st != nil { // its end was never heard of
			s.dropParked(engine.PodRef{Key: k, UID: st.uid})
		}
		st = &podState{uid: obj.UID}
		s.pods[k] = st
	}
	st.rv, st.seen, st.nominated = obj.ResourceVersion, podCondition(obj), obj.Status.NominatedNodeName
	st.cond = st.seen
}

// arrived notes the event that was awaited about a pod, if one was.
func (s *Scheduler) arrived(k engine.Key) {
	if root, ok := s.awaited[k]; ok {
		delete(s.awaited, k)
		s.review[root] = true
	}
}

// podCondition is PodScheduled in the form of a group's condition; nil for none.
func podCondition(obj *corev1.Pod) *metav1.Condition {
	for _, c := range obj.Status.Conditions {
		if c.Type == corev1.PodScheduled {
			return &metav1.Condition{Type: string(c.Type), Status: metav1.ConditionStatus(c.Status), Reason: c.Reason,
				Message: c.Message, LastTransitionTime: c.LastTransitionTime, ObservedGeneration: c.ObservedGeneration}
		}
	}
	return nil
}

func (s *Scheduler) deletePod(obj *corev1.Pod) {
	k := keyOf(obj)
	delete(s.pods, k)
	s.arrived(k)
	s.podWriter.drop(podTarget(k))
	if root, ok := s.engine.Lookup(k); ok {
		s.doubtful[root] = true
	}
	ours := s.isOurs(obj.Spec.SchedulerName)
	if f := s.opts.Fault.Survivors; f != nil && ours {
		for _, p := range f(obj) {
			s.evictor.evict(p, "its gang has lost a member")
		}
	}
	if !ours || heard(obj, s.opts.Fault.PodGone) {
		s.engine.DeletePod(k)
	}
	s.dropParked(engine.PodRef{Key: k, UID: obj.UID})
}

func (s *Scheduler) upsertBudget(obj *policyv1.PodDisruptionBudget) {
	if err := s.engine.UpsertBudget(changed(obj, s.opts.Fault.Budget)); err != nil {
		s.log.Error(err, "a budget protects nobody; correct its selector")
	}
}

func (s *Scheduler) upsertGroup(obj *schedulingv1beta1.PodGroup) {
	s.upsertGroupState(groupTarget(engine.KindPodGroup, keyOf(obj)), obj, obj.Status.Conditions)
	s.engine.UpsertGroup(changed(obj, s.opts.Fault.PodGroup))
}

func (s *Scheduler) deleteGroup(obj *schedulingv1beta1.PodGroup) {
	s.deleteGroupState(groupTarget(engine.KindPodGroup, keyOf(obj)))
	if heard(obj, s.opts.Fault.GroupGone) {
		s.engine.DeleteGroup(keyOf(obj))
	}
}

func (s *Scheduler) upsertComposite(obj *schedulingv1alpha3.CompositePodGroup) {
	s.upsertGroupState(groupTarget(engine.KindComposite, keyOf(obj)), obj, obj.Status.Conditions)
	s.engine.UpsertComposite(changed(obj, s.opts.Fault.Composite))
}

func (s *Scheduler) deleteComposite(obj *schedulingv1alpha3.CompositePodGroup) {
	s.deleteGroupState(groupTarget(engine.KindComposite, keyOf(obj)))
	if heard(obj, s.opts.Fault.CompositeGone) {
		s.engine.DeleteComposite(keyOf(obj))
	}
}

func (s *Scheduler) upsertGroupState(t target, obj metav1.Object, conditions []metav1.Condition) {
	st := s.groups[t]
	if st == nil || st.uid != obj.GetUID() {
		st = &groupState{podState: podState{uid: obj.GetUID()}}
		s.groups[t] = st
		s.groupWriter.drop(t)
	}
	st.rv = obj.GetResourceVersion()
	c := meta.FindStatusCondition(conditions, scheduledCondition(t.kind))
	st.seen = c
	switch {
	case c != nil && c.Status == metav1.ConditionTrue:
		st.final, st.cond = true, c
		s.groupWriter.drop(t) // somebody else has said it, or it is our own coming back
	case !st.final:
		st.cond = c
	}
}

func (s *Scheduler) deleteGroupState(t target) {
	delete(s.groups, t)
	s.groupWriter.drop(t)
}
