package shapes

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// ReplicaLabel is the number of a replica on its pods.
const ReplicaLabel = "muster.dev/replica"

// LeaderWorkers are replicas of one leader and its workers. A replica runs as a whole or not at all, and replicas know
// nothing of one another.
type LeaderWorkers struct {
	Identity
	// Replicas, and the pods of each of them: one leader and Size-1 workers.
	Replicas, Size int32
	// Pod is the leader's and every worker's.
	Pod corev1.PodSpec
}

// replicaTemplate is the Workload's only template: every replica's group is made from it.
const replicaTemplate = "replica"

// Group is the name of the i-th replica's PodGroup.
func (l LeaderWorkers) Group(i int) string { return fmt.Sprintf("%s-%d", l.Name, i) }

// Objects are the Workload, and for each replica its PodGroup and then its pods, the leader first.
func (l LeaderWorkers) Objects() ([]runtime.Object, error) {
	b, w, err := compile(l.Identity, gangOf(replicaTemplate, l.Size))
	if err != nil {
		return nil, err
	}
	out := []runtime.Object{w}
	for i := range int(l.Replicas) {
		g, err := materialise(b, l.Group(i), replicaTemplate)
		if err != nil {
			return nil, err
		}
		out = append(out, g)
		for n := range int(l.Size) {
			out = append(out, l.pod(i, n))
		}
	}
	return out, nil
}

func (l LeaderWorkers) pod(replica, n int) *corev1.Pod {
	group, name := l.Group(replica), fmt.Sprintf("%s-leader", l.Group(replica))
	if n > 0 {
		name = fmt.Sprintf("%s-worker-%d", group, n)
	}
	p := &corev1.Pod{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{
			Name: name, Namespace: l.Namespace, OwnerReferences: []metav1.OwnerReference{l.Owner},
			Labels: map[string]string{ReplicaLabel: fmt.Sprint(replica)},
		},
		Spec: *l.Pod.DeepCopy(),
	}
	p.Spec.SchedulingGroup = &corev1.PodSchedulingGroup{PodGroupName: &group}
	return p
}
