package control

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestGangWaitsForItsQuorumAndSaysSo(t *testing.T) {
	inBubble(t, func(w *world) {
		w.node("a", 4)
		w.start()
		w.gang("g", 3)
		w.pod("g-0", "g", 1)
		w.pod("g-1", "g", 1)
		w.wait(3 * time.Second)
		w.expectBound()
		c := w.expectCondition("g", metav1.ConditionFalse, reasonWaiting)
		if !strings.Contains(c.Message, "2 of the 3") || c.ObservedGeneration != 1 {
			t.Errorf("condition %+v does not say what is missing, and of which generation", c)
		}
		w.pod("g-2", "g", 1)
		w.wait(time.Second)
		w.expectBound("g-0", "g-1", "g-2")
		w.expectCondition("g", metav1.ConditionTrue, reasonScheduled)
	})
}

func TestNoRoomIsSaidOnceAndCostsNothing(t *testing.T) {
	inBubble(t, func(w *world) {
		w.node("a", 2)
		w.start()
		w.gang("g", 3)
		w.members("g", 3, 1)
		w.wait(3 * time.Second)
		w.expectBound()
		w.expectCondition("g", metav1.ConditionFalse, schedulingv1beta1.PodGroupReasonUnschedulable)
		for _, name := range []string{"g-0", "g-2"} {
			if c := w.podCondition(name); c == nil || c.Status != metav1.ConditionFalse || c.Reason != corev1.PodReasonUnschedulable || !strings.Contains(c.Message, "room for 2") {
				t.Errorf("pod %s: condition %+v, want why there is no room", name, c)
			}
		}
		_, writes := w.requests()
		w.wait(time.Hour)
		if binds, after := w.requests(); binds != 0 || after != writes {
			t.Errorf("within an hour in which nothing happened: %d binds, %d conditions written", binds, after-writes)
		}
		w.node("b", 1)
		w.wait(time.Second)
		w.expectBound("g-0", "g-1", "g-2")
		w.expectCondition("g", metav1.ConditionTrue, reasonScheduled)
	})
}

func TestGroupAfterItsPods(t *testing.T) {
	inBubble(t, func(w *world) {
		w.node("a", 4)
		w.start()
		w.members("g", 2, 1)
		w.wait(3 * time.Second)
		w.expectBound()
		if c := w.podCondition("g-0"); c == nil || c.Reason != reasonWaiting || !strings.Contains(c.Message, "team/g does not exist") {
			t.Errorf("condition %+v, want that the group is missing", c)
		}
		w.gang("g", 2)
		w.wait(time.Second)
		w.expectBound("g-0", "g-1")
	})
}

func TestPodsOfOthersAreLeftAlone(t *testing.T) {
	inBubble(t, func(w *world) {
		w.node("a", 4)
		w.gang("theirs", 1)
		w.pod("theirs-0", "theirs", 1, askFor("somebody-else"))
		w.pod("theirs-1", "theirs", 1, askFor("somebody-else"), on("a"))
		w.pod("single", "", 1, askFor("somebody-else"))
		w.start()
		w.wait(time.Minute)
		w.expectBound("theirs-1")
		if _, writes := w.requests(); writes != 0 {
			t.Errorf("%d conditions written on what is another scheduler's", writes)
		}
	})
}

func TestMembersThatDisagree(t *testing.T) {
	inBubble(t, func(w *world) {
		w.node("a", 4)
		w.start()
		w.gang("g", 2)
		w.pod("g-0", "g", 1)
		w.pod("g-1", "g", 1, priority(7))
		w.pod("single", "", 1)
		w.wait(3 * time.Second)
		w.expectBound("single")
		w.expectCondition("g", metav1.ConditionFalse, schedulingv1beta1.PodGroupReasonSchedulerError)
		w.deletePod("g-1")
		w.pod("g-2", "g", 1)
		w.wait(time.Second)
		w.expectBound("g-0", "g-2", "single")
	})
}

func TestHigherPriorityFirst(t *testing.T) {
	inBubble(t, func(w *world) {
		prio := func(n int32) func(*schedulingv1beta1.PodGroup) {
			return func(g *schedulingv1beta1.PodGroup) { g.Spec.Priority = &n }
		}
		w.node("a", 2)
		w.pod("filler", "", 2, on("a"), priority(9))
		w.start()
		w.gang("low", 2)
		w.members("low", 2, 1)
		w.wait(time.Second)
		w.gang("high", 2, prio(9))
		w.members("high", 2, 1, priority(9))
		w.wait(time.Second)
		w.expectBound("filler")
		w.deletePod("filler")
		w.wait(time.Second)
		w.expectBound("high-0", "high-1")
	})
}

func TestRestartCompletesWhatWasBegun(t *testing.T) {
	inBubble(t, func(w *world) {
		w.node("a", 8)
		w.gang("half", 3)
		w.pod("half-0", "half", 1, on("a"))
		w.pod("half-1", "half", 1)
		w.pod("half-2", "half", 1)
		w.gang("unsaid", 1) // bound, but the condition was not written any more
		w.pod("unsaid-0", "unsaid", 1, on("a"))
		w.gang("said", 2, func(g *schedulingv1beta1.PodGroup) {
			g.Status.Conditions = []metav1.Condition{{Type: schedulingv1beta1.PodGroupInitiallyScheduled, Status: metav1.ConditionTrue,
				Reason: "Before", LastTransitionTime: metav1.Now()}}
		})
		w.pod("said-0", "said", 99)
		w.start()
		w.wait(3 * time.Second)
		w.expectBound("half-0", "half-1", "half-2", "unsaid-0")
		w.expectCondition("half", metav1.ConditionTrue, reasonScheduled)
		w.expectCondition("unsaid", metav1.ConditionTrue, reasonScheduled)
		w.expectCondition("said", metav1.ConditionTrue, "Before")
	})
}

func TestHeadOfLineIsKeptRoomFor(t *testing.T) {
	inBubble(t, func(w *world) {
		w.opts.HeadWait = time.Minute
		w.node("a", 4)
		w.pod("old", "", 1, on("a"))
		w.start()
		w.gang("g", 2)
		w.members("g", 2, 2)
		w.gang("never", 1)
		w.members("never", 1, 99) // the emptied cluster would not take it: nothing is kept
		w.wait(30 * time.Second)
		w.pod("passes", "", 1)
		w.wait(time.Second)
		w.expectBound("old", "passes")
		w.wait(time.Minute)
		w.pod("late", "", 1)
		w.wait(time.Second)
		w.expectBound("old", "passes")
		w.deletePod("old")
		w.wait(time.Second)
		w.expectBound("passes")
		w.deletePod("passes")
		w.wait(time.Second)
		w.expectBound("g-0", "g-1")
		w.deletePod("g-0")
		w.wait(time.Second)
		w.expectBound("g-1", "late")
	})
}

func TestRoomIsNotKeptForWhatIsGone(t *testing.T) {
	inBubble(t, func(w *world) {
		w.node("a", 4)
		w.pod("old", "", 1, on("a"))
		w.start()
		w.gang("g", 2)
		w.members("g", 2, 2)
		w.wait(2 * time.Minute)
		w.pod("late", "", 1)
		w.wait(time.Second)
		w.expectBound("old")
		w.deletePod("g-0")
		w.deletePod("g-1")
		w.wait(time.Second)
		w.expectBound("late", "old")
		if n := len(w.s.blocked) + len(w.s.notices); n > 0 || w.s.blockedPods != 0 {
			t.Errorf("%d things are remembered of what is gone, %d pods", n, w.s.blockedPods)
		}
	})
}
