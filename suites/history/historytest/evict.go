package historytest

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/suites/history"
)

// Evict is the scheduler under test preempting pods: it says so on them and deletes them. They still take their place
// until they are Gone.
func (b *Builder) Evict(pods ...string) *Builder { return b.Disrupt(pods...).Deleting(pods...) }

// Disrupt writes the condition that announces a preemption.
func (b *Builder) Disrupt(pods ...string) *Builder {
	for _, n := range pods {
		b.ChangePod(n, func(p *corev1.Pod) {
			p.Status.Conditions = append(slices.Clone(p.Status.Conditions), corev1.PodCondition{
				Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: corev1.PodReasonPreemptionByScheduler,
				LastTransitionTime: metav1.NewTime(started.Add(b.now)),
			})
		})
	}
	return b
}

// Nominate writes status.nominatedNodeName.
func (b *Builder) Nominate(pod, node string) *Builder {
	return b.ChangePod(pod, func(p *corev1.Pod) { p.Status.NominatedNodeName = node })
}

// DriverDelete deletes pods as the driver does.
func (b *Builder) DriverDelete(pods ...string) *Builder {
	for _, n := range pods {
		sent := b.now
		b.Deleting(n)
		o := b.find("pods", Namespace, n)
		b.driver(history.Event{Version: "v1", Resource: "pods", Verb: history.VerbDelete, Namespace: Namespace, Name: n,
			UID: o.uid, Action: &history.Action{Response: history.Response{Code: 200}}})
		b.events[len(b.events)-1].Action.SentMono = sent
	}
	return b
}

// Never gives a pod the preemption policy Never.
func Never(p *corev1.Pod) {
	never := corev1.PreemptNever
	p.Spec.PreemptionPolicy = &never
}

// Owned makes a pod a controller's.
func Owned(controller string) PodOption {
	return func(p *corev1.Pod) {
		yes := true
		p.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: controller, UID: "uid-owner", Controller: &yes}}
	}
}

// Grace gives a pod a termination grace period in seconds.
func Grace(seconds int64) PodOption {
	return func(p *corev1.Pod) { p.Spec.TerminationGracePeriodSeconds = &seconds }
}

// Together gives a group the disruption mode in which its members are only disrupted together.
func Together(g map[string]any) {
	g["spec"].(map[string]any)["disruptionMode"] = map[string]any{"all": map[string]any{}}
}

// Disrupted writes the group's DisruptionTarget condition beside what it has.
func (b *Builder) Disrupted(gang string) *Builder {
	return b.changeGroup(gang, func(_, _, st map[string]any) {
		c := condition("True", "PreemptionByScheduler", 1, b)
		c["type"] = "DisruptionTarget"
		have, _ := st["conditions"].([]any)
		st["conditions"] = append(slices.Clone(have), c)
	})
}

// PodIn creates a plain pod in another namespace.
func (b *Builder) PodIn(namespace, name string, opts ...PodOption) *Builder {
	p := newPod("", opts)
	return b.put(&object{stream: stream{"", "v1", "pods"}, namespace: namespace, name: name, uid: b.uid(name), value: p}, history.VerbAdded)
}

// EvictIn is Evict of a pod in another namespace, which is gone at once.
func (b *Builder) EvictIn(namespace, name string) *Builder {
	o := b.find("pods", namespace, name)
	p := o.value.(*corev1.Pod).DeepCopy()
	now := metav1.NewTime(started.Add(b.now))
	p.DeletionTimestamp = &now
	p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{
		Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: corev1.PodReasonPreemptionByScheduler, LastTransitionTime: now,
	})
	o.value = p
	b.put(o, history.VerbModified)
	return b.put(o, history.VerbDeleted)
}
