package history

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Preempted reports whether a scheduler took the pod off its node to make room, by its own words: it was bound, it was
// deleted, the driver did not do it, and it carried the condition by which schedulers mark their victims (DisruptionTarget,
// reason PreemptionByScheduler).
func (v *View) Preempted(p *Pod) bool { return v.takenAway(p) && p.SaysPreempted() }

// Evicted is Preempted also for a scheduler that marks nothing, by elimination: the pod had not finished, its node was
// there, and no controller owns it. It is meant for scenarios, in whose namespaces nobody but the driver and the scheduler
// has a reason to delete such a pod; in the history of a cluster that people use it would accuse the wrong one.
func (v *View) Evicted(p *Pod) bool {
	if !v.takenAway(p) {
		return false
	}
	return p.SaysPreempted() ||
		!reached(p.Finished, p.Deleting) && metav1.GetControllerOf(p.First) == nil && v.nodeThere(p.Node, p.Deleting)
}

// takenAway reports whether a pod that stood on a node was deleted, and not by the driver.
func (v *View) takenAway(p *Pod) bool {
	return !p.Bound.IsZero() && !p.Deleting.IsZero() && p.Bound.Before(p.Deleting) && !p.Deleting.After(v.Now()) && !v.DeletedByDriver(p)
}

// PreemptedPods are all pods that were preempted, in order of their deletion.
func (v *View) PreemptedPods() []*Pod {
	var out []*Pod
	for _, p := range v.Pods {
		if v.Preempted(p) {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b *Pod) int { return a.Deleting.compare(b.Deleting) })
	return out
}

// SaysPreempted reports whether the pod ever carried the condition by which schedulers mark a victim.
func (p *Pod) SaysPreempted() bool {
	return slices.ContainsFunc(p.Conditions[string(corev1.DisruptionTarget)], func(c At[Condition]) bool {
		return c.Value.Status == string(corev1.ConditionTrue) && c.Value.Reason == corev1.PodReasonPreemptionByScheduler
	})
}

// DeletedByDriver reports whether a request of the driver may have deleted this incarnation of the pod. The answer to a
// request is recorded after the watch may have told of its effect, so it is the sending that has to lie before.
func (v *View) DeletedByDriver(p *Pod) bool {
	return slices.ContainsFunc(v.Actions, func(a At[Event]) bool {
		e := a.Value
		return e.Verb == VerbDelete && e.Group == "" && e.Resource == "pods" && e.Namespace == p.Namespace && e.Name == p.Name &&
			e.Action != nil && e.Action.mayHaveWorked() && e.Action.SentMono <= p.Deleting.Mono && e.Mono >= p.Created.Mono
	})
}

func (v *View) nodeThere(name string, at Stamp) bool {
	return slices.ContainsFunc(v.Nodes, func(n *Node) bool {
		return n.Name == name && reached(n.Created, at) && !reached(n.Gone, at)
	})
}
