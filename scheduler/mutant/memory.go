package mutant

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/scheduler/engine"
)

// Profiles that mutants are judged on.
const (
	gangs      = "gang"
	basic      = "basic"
	conditions = "conditions"
	topology   = "topology"
	composite  = "composite"
	preemption = "preemption"
	devices    = "devices"
	robust     = "robust"
)

func keyOf(o metav1.Object) engine.Key {
	return engine.Key{Namespace: o.GetNamespace(), Name: o.GetName()}
}

// groupOf is the PodGroup that a pod names; ok is false where it names none.
func groupOf(p *corev1.Pod) (k engine.Key, ok bool) {
	if g := p.Spec.SchedulingGroup; g != nil && g.PodGroupName != nil {
		return engine.Key{Namespace: p.Namespace, Name: *g.PodGroupName}, true
	}
	return engine.Key{}, false
}

// leaveGroup makes a pod one of its own.
func leaveGroup(p *corev1.Pod) { p.Spec.SchedulingGroup = nil }

// unplace takes all placements out of a decision, as if there had been no room.
func unplace(d *engine.Decision) {
	if len(d.Placements) == 0 {
		return
	}
	why := engine.Reason{Code: engine.NoRoom, Need: len(d.Placements)}
	for _, p := range d.Placements {
		d.Left = append(d.Left, engine.Leftover{Pod: p.Pod, Reason: why})
	}
	d.Placements, d.Outcome, d.Reason = nil, engine.Unschedulable, why
	for i := range d.Groups {
		g := &d.Groups[i]
		if g.Placed > 0 {
			g.Outcome, g.Reason, g.Satisfied, g.Placed = engine.Unschedulable, why, false, 0
		}
	}
}

// noPlan refuses to preempt.
func noPlan(p *engine.Plan) { *p = engine.Plan{Root: p.Root} }

// sparesOthers takes the pods of other namespaces off a plan. Schedulers are judged by many scenarios beside one another, each in a
// namespace of its own: a fault that evicts at large must not take the stage from those that it is not judged by.
func sparesOthers(p *engine.Plan) {
	if p.Kind != engine.Evict {
		return
	}
	p.Victims = slices.DeleteFunc(p.Victims, func(v engine.PodRef) bool { return v.Namespace != p.Root.Namespace })
	p.Groups = slices.DeleteFunc(p.Groups, func(g engine.GroupRef) bool { return g.Namespace != p.Root.Namespace })
	if len(p.Victims) == 0 {
		noPlan(p)
	}
}

// forGroup reports whether a claim is reserved for a group as a whole.
func forGroup(c engine.DeviceClaim) bool { return c.Consumer.Resource != "pods" }

// changeGroupDevices changes what the claims of groups are given. What the engine shares is copied first.
func changeGroupDevices(d *engine.Decision, change func(*resourcev1.AllocationResult)) {
	for i := range d.Placements {
		for j := range d.Placements[i].Devices {
			if c := &d.Placements[i].Devices[j]; forGroup(*c) && c.Allocation != nil {
				c.Allocation = c.Allocation.DeepCopy()
				change(c.Allocation)
			}
		}
	}
}
