package control

import (
	"testing"
	"time"

	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestDevicesThatAreMissing: the condition says how many devices of which class are missing and where, and why nobody is
// evicted for them.
func TestDevicesThatAreMissing(t *testing.T) {
	for name, tc := range map[string]struct {
		holder func(w *world) // who holds both devices of node b
		says   string
	}{
		"nobody of lower priority": {func(w *world) {
			w.gang("top", 1, important)
			w.wide("top-0", 2)
			w.pod("top-0", "top", 1, priority(9), use("top-0"))
		}, "there is room for 0 of 1 pods; pod team/g-0: room for 0 on 2 nodes; 2 nodes have too few devices of class any (2 asked, at most 1 free: on a); " +
			"preemption does not help: nothing of lower priority runs"},
		"held by a group that keeps them": {func(w *world) {
			w.wide("shared", 2)
			w.gang("low", 1, share("shared"))
			w.pod("low-0", "low", 1, use("shared"))
		}, "there is room for 0 of 1 pods; pod team/g-0: room for 0 on 2 nodes; 2 nodes have too few devices of class any (2 asked, at most 1 free: on a); " +
			"preemption does not help: would not fit even without the one pod or group of lower priority that runs"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				w.devices("b", 8, 2)
				w.start()
				tc.holder(w)
				w.wait(3 * time.Second)
				w.devices("a", 8, 1)
				w.gang("g", 1, important)
				w.wide("g-0", 2)
				w.pod("g-0", "g", 1, priority(9), use("g-0"))
				w.wait(15 * time.Second)
				if c := w.expectCondition("g", metav1.ConditionFalse, schedulingv1beta1.PodGroupReasonUnschedulable); c.Message != tc.says {
					t.Errorf("the group says\n%s\nwant\n%s", c.Message, tc.says)
				}
			})
		})
	}
}
