package engine_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"muster/scheduler/engine"
)

// TestExtremeAmounts: amounts that do not fit into an integer when they are multiplied, added up, or read in thousandths are not
// taken for less than they are.
func TestExtremeAmounts(t *testing.T) {
	const much = "4611686018427387904" // 2^62
	ask := func(name corev1.ResourceName, each ...string) func(*corev1.Pod) {
		return func(p *corev1.Pod) {
			p.Spec.Containers = nil
			for i, q := range each {
				p.Spec.Containers = append(p.Spec.Containers, corev1.Container{Name: fmt.Sprint("c", i),
					Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{name: resource.MustParse(q)}}})
			}
		}
	}
	for _, tc := range []struct {
		name    string
		offers  map[corev1.ResourceName]string
		pod     func(*corev1.Pod)
		members int
		placed  int
	}{
		{"four times as much as there is", map[corev1.ResourceName]string{gpu: much}, ask(gpu, much), 4, 0},
		{"what is there, four times", map[corev1.ResourceName]string{gpu: "2251799813685248"}, ask(gpu, "562949953421312"), 4, 4},
		{"what is there, five times", map[corev1.ResourceName]string{gpu: "2251799813685248"}, ask(gpu, "562949953421312"), 5, 0},
		{"more cores than have thousandths", nil, ask(corev1.ResourceCPU, "9E"), 1, 0},
		{"two halves too many", map[corev1.ResourceName]string{gpu: "9E"}, ask(gpu, "9E", "9E"), 1, 0},
		{"pods beyond counting", map[corev1.ResourceName]string{corev1.ResourcePods: "4294967296"}, ask(gpu, "0"), 2, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := engine.New(engine.Options{})
			n := node("a", 4, 0)
			for name, q := range tc.offers {
				n.Status.Allocatable[name] = resource.MustParse(q)
			}
			e.UpsertNode(n)
			e.UpsertGroup(gang("g", int32(tc.members)))
			for i := range tc.members {
				e.UpsertPod(pod(fmt.Sprint("g-", i), "g", 0, 0, tc.pod))
			}
			if d := e.Solve(root(engine.KindPodGroup, "g")); len(d.Placements) != tc.placed {
				t.Errorf("%d placed (%s: %s), want %d", len(d.Placements), d.Outcome, d.Reason, tc.placed)
			}
			if err := e.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestRoomTakenByExtremes: what others bound without regard for the node does not turn into room.
func TestRoomTakenByExtremes(t *testing.T) {
	e := engine.New(engine.Options{})
	e.UpsertNode(node("a", 4, 4))
	for i := range 40 {
		e.UpsertPod(pod(fmt.Sprint("big-", i), "", 0, 0, bind("a"), func(p *corev1.Pod) {
			p.Spec.Containers[0].Resources.Requests = corev1.ResourceList{gpu: resource.MustParse("9E"), corev1.ResourceCPU: resource.MustParse("9E")}
		}))
	}
	e.UpsertPod(pod("p", "", 1, 1))
	if d := e.Solve(root(engine.KindPod, "p")); d.Outcome != engine.Unschedulable {
		t.Errorf("%s on a node that is overcommitted", d.Outcome)
	}
}
