package historytest

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/suites/history"
)

// PodOption changes a pod before it is created.
type PodOption = func(*corev1.Pod)

// Wants sets what a pod asks for, as "name=quantity"; without it a pod asks for one CPU.
func Wants(amounts ...string) PodOption {
	return func(p *corev1.Pod) {
		r := corev1.ResourceList{}
		set(r, amounts)
		p.Spec.Containers[0].Resources.Requests = r
	}
}

// Priority gives a pod a priority.
func Priority(n int32) PodOption { return func(p *corev1.Pod) { p.Spec.Priority = &n } }

// For gives a pod a schedulerName.
func For(scheduler string) PodOption { return func(p *corev1.Pod) { p.Spec.SchedulerName = scheduler } }

// Gated gives a pod a scheduling gate.
func Gated(p *corev1.Pod) { p.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "test"}} }

// Placed creates a pod bound already.
func Placed(node string) PodOption { return func(p *corev1.Pod) { p.Spec.NodeName = node } }

// Pods creates n members gang-0, gang-1, … of a gang (the numbers go on).
func (b *Builder) Pods(gang string, n int, opts ...PodOption) *Builder {
	for range n {
		b.Pod(fmt.Sprintf("%s-%d", gang, b.next(gang)), gang, opts...)
	}
	return b
}

// Pod creates a pod; an empty gang makes a plain one.
func (b *Builder) Pod(name, gang string, opts ...PodOption) *Builder {
	p := newPod(gang, opts)
	o := &object{stream: stream{"", "v1", "pods"}, namespace: Namespace, name: name, uid: b.uid(name), value: p}
	b.put(o, history.VerbAdded)
	if p.Spec.NodeName == "" {
		return b
	}
	return b.driver(history.Event{Version: "v1", Resource: "pods", Verb: history.VerbCreate, Namespace: Namespace, Name: name,
		UID: o.uid, Action: &history.Action{Response: history.Response{Code: 201, RV: o.rv, UID: o.uid}}})
}

func newPod(gang string, opts []PodOption) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Generation: 1}}
	p.Spec.SchedulerName = Scheduler
	p.Spec.Containers = []corev1.Container{{Name: "main"}}
	p.Status.Phase = corev1.PodPending
	Wants("cpu=1")(p)
	if gang != "" {
		p.Spec.SchedulingGroup = &corev1.PodSchedulingGroup{PodGroupName: &gang}
	}
	for _, f := range opts {
		f(p)
	}
	return p
}

// ChangePod changes a pod.
func (b *Builder) ChangePod(name string, f PodOption) *Builder {
	o := b.find("pods", Namespace, name)
	p := o.value.(*corev1.Pod).DeepCopy()
	f(p)
	o.value = p
	return b.put(o, history.VerbModified)
}

// Bind binds a pod as the scheduler under test does: the record shows only that it is bound.
func (b *Builder) Bind(pod, node string) *Builder {
	return b.ChangePod(pod, func(p *corev1.Pod) { p.Spec.NodeName = node })
}

// BindAll binds every pod of a list to one node.
func (b *Builder) BindAll(node string, pods ...string) *Builder {
	for _, p := range pods {
		b.Bind(p, node)
	}
	return b
}

// DriverBind binds a pod as the driver does.
func (b *Builder) DriverBind(pod, node string) *Builder {
	b.Bind(pod, node)
	o := b.find("pods", Namespace, pod)
	return b.driver(history.Event{Version: "v1", Resource: "pods", Verb: history.VerbBind, Namespace: Namespace, Name: pod,
		UID: o.uid, Action: &history.Action{Subresource: "binding", Node: node, Response: history.Response{Code: 201}}})
}

// Ungate removes a pod's scheduling gates.
func (b *Builder) Ungate(pods ...string) *Builder {
	for _, n := range pods {
		b.ChangePod(n, func(p *corev1.Pod) { p.Spec.SchedulingGates = nil })
	}
	return b
}

// Reject writes PodScheduled=False on pods: an attempt was made.
func (b *Builder) Reject(pods ...string) *Builder {
	for _, n := range pods {
		b.ChangePod(n, func(p *corev1.Pod) {
			p.Status.Conditions = slices.DeleteFunc(slices.Clone(p.Status.Conditions), func(c corev1.PodCondition) bool {
				return c.Type == corev1.PodScheduled
			})
			p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{
				Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable,
				LastProbeTime: metav1.NewTime(started.Add(b.now)),
			})
		})
	}
	return b
}

// Finish takes pods to a phase.
func (b *Builder) Finish(phase corev1.PodPhase, pods ...string) *Builder {
	for _, n := range pods {
		b.ChangePod(n, func(p *corev1.Pod) { p.Status.Phase = phase })
	}
	return b
}

// Deleting marks pods for deletion; they still take their place.
func (b *Builder) Deleting(pods ...string) *Builder {
	for _, n := range pods {
		b.ChangePod(n, func(p *corev1.Pod) {
			now := metav1.NewTime(started.Add(b.now))
			p.DeletionTimestamp = &now
		})
	}
	return b
}

// Gone removes pods.
func (b *Builder) Gone(pods ...string) *Builder {
	for _, n := range pods {
		b.put(b.find("pods", Namespace, n), history.VerbDeleted)
	}
	return b
}
