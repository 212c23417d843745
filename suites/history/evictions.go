package history

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Preempted reports whether a scheduler took the pod off its node to make room: it was bound, somebody set its deletion
// timestamp, and that was not the driver.
//
// Schedulers say so on the pod before they delete it (condition DisruptionTarget, reason PreemptionByScheduler). One that
// does not is told by elimination: the pod had not finished, its node was there, and no controller owns it, so that nobody
// else had a reason to delete it.
func (v *View) Preempted(p *Pod) bool {
	if p.Bound.IsZero() || p.Deleting.IsZero() || !p.Bound.Before(p.Deleting) || p.Deleting.After(v.Now()) || v.deletedByDriver(p) {
		return false
	}
	if p.SaysPreempted() {
		return true
	}
	return !reached(p.Finished, p.Deleting) && metav1.GetControllerOf(p.First) == nil && v.nodeThere(p.Node, p.Deleting)
}

// PreemptedPods are all such pods, in order of their deletion.
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

// deletedByDriver reports whether a request of the driver may have deleted this incarnation of the pod. The answer to a
// request is recorded after the watch may have told of its effect, so it is the sending that has to lie before.
func (v *View) deletedByDriver(p *Pod) bool {
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
