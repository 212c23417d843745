package control

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kubetesting "k8s.io/client-go/testing"
)

func TestConditionsAreRetried(t *testing.T) {
	for name, refusal := range map[string]error{"409": errConflict, "429": errTooMany, "500": errInternal} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				refused := map[string]int{}
				w.client.PrependReactor("patch", "*", func(a kubetesting.Action) (bool, runtime.Object, error) {
					w.mu.Lock()
					defer w.mu.Unlock()
					key := a.GetResource().Resource + a.(kubetesting.PatchAction).GetName()
					if refused[key]++; refused[key] <= 3 {
						return true, nil, refusal
					}
					return false, nil, nil
				})
				w.node("a", 2)
				w.start()
				w.gang("fits", 1)
				w.pod("fits-0", "fits", 1)
				w.gang("waits", 1)
				w.pod("waits-0", "waits", 7)
				w.wait(time.Minute)
				w.expectBound("fits-0")
				w.expectCondition("fits", metav1.ConditionTrue, reasonScheduled)
				w.expectCondition("waits", metav1.ConditionFalse, schedulingv1beta1.PodGroupReasonUnschedulable)
				if c := w.podCondition("waits-0"); c == nil || c.Reason != corev1.PodReasonUnschedulable {
					t.Errorf("the pod's condition is %+v", c)
				}
			})
		})
	}
}

// False is written only against the version of the object that was seen: whoever wrote True meanwhile keeps it.
func TestFalseNamesTheVersionItWasDecidedOn(t *testing.T) {
	inBubble(t, func(w *world) {
		var patches []string
		w.client.PrependReactor("patch", "podgroups", func(a kubetesting.Action) (bool, runtime.Object, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			patches = append(patches, string(a.(kubetesting.PatchAction).GetPatch()))
			return false, nil, nil
		})
		w.start()
		w.gang("g", 1, func(g *schedulingv1beta1.PodGroup) { g.ResourceVersion = "17" })
		w.pod("g-0", "g", 1)
		w.wait(time.Second)
		w.node("a", 1)
		w.wait(time.Second)
		w.expectCondition("g", metav1.ConditionTrue, reasonScheduled)
		if len(patches) != 2 || !strings.Contains(patches[0], `"resourceVersion":"17"`) || !strings.Contains(patches[0], `"uid":"uid-g"`) ||
			strings.Contains(patches[1], "resourceVersion") || !strings.Contains(patches[1], `"uid":"uid-g"`) {
			t.Errorf("patches %q", patches)
		}
	})
}

// A condition that met another writer is said again, and the time at which its status began is not lost over it.
func TestAConflictKeepsTheTransitionTime(t *testing.T) {
	inBubble(t, func(w *world) {
		refused := map[string]bool{}
		refuse := false
		w.client.PrependReactor("patch", "*", func(a kubetesting.Action) (bool, runtime.Object, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			name := a.(kubetesting.PatchAction).GetName()
			if refuse && !refused[name] {
				refused[name] = true
				return true, nil, errConflict
			}
			return false, nil, nil
		})
		w.node("a", 2)
		w.start()
		w.gang("g", 2)
		w.pod("g-0", "g", 7)
		w.wait(time.Minute)
		group, pod := w.expectCondition("g", metav1.ConditionFalse, reasonWaiting), w.podCondition("g-0")
		w.mu.Lock()
		refuse = true
		w.mu.Unlock()
		w.pod("g-1", "g", 7)
		w.wait(time.Minute)
		if !refused["g"] || !refused["g-0"] {
			t.Fatalf("refused were writes to %v, want g and g-0", refused)
		}
		after := w.expectCondition("g", metav1.ConditionFalse, schedulingv1beta1.PodGroupReasonUnschedulable)
		if !after.LastTransitionTime.Equal(&group.LastTransitionTime) {
			t.Errorf("the group is not scheduled since %v, and then since %v", group.LastTransitionTime, after.LastTransitionTime)
		}
		if now := w.podCondition("g-0"); now == nil || pod == nil || !now.LastTransitionTime.Equal(&pod.LastTransitionTime) {
			t.Errorf("the pod's condition was %+v and is %+v", pod, now)
		}
	})
}
