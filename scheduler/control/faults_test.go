package control

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	kubetesting "k8s.io/client-go/testing"
)

var (
	errConflict = apierrors.NewConflict(podsResource.GroupResource(), "x", errors.New("meanwhile"))
	errTooMany  = apierrors.NewTooManyRequests("later", 2)
	errInternal = apierrors.NewInternalError(errors.New("broken"))
	errTimeout  = fmt.Errorf("posting: %w", context.DeadlineExceeded)
	errForbid   = apierrors.NewForbidden(podsResource.GroupResource(), "x", errors.New("no"))
)

func TestRefusalsThatPass(t *testing.T) {
	for name, refusal := range map[string]error{"409": errConflict, "429": errTooMany, "500": errInternal, "timeout": errTimeout, "403": errForbid} {
		for _, times := range []int{1, 3, 9} {
			for _, done := range []bool{false, true} { // the answer is lost after the deed
				t.Run(fmt.Sprintf("%s,%d,%t", name, times, done), func(t *testing.T) {
					inBubble(t, func(w *world) {
						w.answer = func(pod, _ string, n int) (error, bool) {
							if pod == "g-1" && n <= times {
								return refusal, done
							}
							return nil, false
						}
						w.node("a", 2)
						w.node("b", 2)
						w.start()
						w.gang("g", 3)
						w.members("g", 3, 1)
						w.wait(2 * time.Minute)
						w.expectBound("g-0", "g-1", "g-2")
						w.expectCondition("g", metav1.ConditionTrue, reasonScheduled)
						if done && w.asked["g-1"] != 1 {
							t.Errorf("bound at the first request, asked for %d times", w.asked["g-1"])
						}
					})
				})
			}
		}
	}
}

// TestLongPausesAreNotTakenLiterally: a server that asks for an hour's patience, once for each binder, does not stop the scheduler
// for an hour.
func TestLongPausesAreNotTakenLiterally(t *testing.T) {
	inBubble(t, func(w *world) {
		w.answer = func(_, _ string, n int) (error, bool) {
			if n == 1 {
				return apierrors.NewTooManyRequests("later", 3600), false
			}
			return nil, false
		}
		w.node("a", 4)
		w.start()
		w.gang("g", 3)
		w.members("g", 3, 1)
		w.wait(2 * time.Minute)
		w.expectBound("g-0", "g-1", "g-2")
	})
}

func TestRefusalsThatDoNotPass(t *testing.T) {
	for name, refusal := range map[string]error{"403": errForbid, "500": errInternal} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				w.answer = func(pod, _ string, _ int) (error, bool) {
					if pod == "g-1" {
						return refusal, false
					}
					return nil, false
				}
				w.node("a", 2)
				w.start()
				w.gang("g", 2)
				w.members("g", 2, 1)
				w.wait(10 * time.Minute)
				w.expectBound("g-0")
				if c := w.condition("g"); c.Status == metav1.ConditionTrue {
					t.Error("the condition is True although a bind of the quorum never succeeded")
				}
				if n := w.asked["g-1"]; n < 20 || n > 70*bindTries {
					t.Errorf("asked %d times within ten minutes: want a retry every ten seconds, and no hot loop", n)
				}
				w.mu.Lock()
				w.answer = nil
				w.mu.Unlock()
				w.wait(11 * time.Second)
				w.expectBound("g-0", "g-1")
				w.expectCondition("g", metav1.ConditionTrue, reasonScheduled)
			})
		})
	}
}

// A pod that somebody else binds elsewhere takes its room there, and is not planned with anywhere else.
func TestBoundByAnotherMeanwhile(t *testing.T) {
	inBubble(t, func(w *world) {
		w.node("a", 2)
		w.node("b", 2)
		w.answer = func(pod, node string, n int) (error, bool) {
			if pod != "g-0" || n > 1 {
				return nil, false
			}
			other := map[string]string{"a": "b", "b": "a"}[node]
			_ = w.place(&corev1.Binding{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: pod, UID: "uid-g-0"}, Target: corev1.ObjectReference{Name: other}})
			return errConflict, false
		}
		w.start()
		w.gang("g", 2)
		w.members("g", 2, 1)
		w.wait(time.Second)
		w.expectBound("g-0", "g-1")
		w.expectCondition("g", metav1.ConditionTrue, reasonScheduled)
		w.members("single", 2, 1, func(p *corev1.Pod) { p.Spec.SchedulingGroup = nil })
		w.pod("surplus", "", 1)
		w.wait(time.Second)
		w.expectBound("g-0", "g-1", "single-0", "single-1")
	})
}

// What others bind while a round is under way is seen before the round ends; the condition follows all the same.
func TestBoundByOthersWhileARoundIsUnderWay(t *testing.T) {
	for _, elsewhere := range []bool{false, true} {
		inBubble(t, func(w *world) {
			w.node("a", 2)
			w.node("b", 2)
			chosen := ""
			w.answer = func(_, node string, n int) (error, bool) {
				if chosen = node; n == 1 {
					return errTooMany, false // the round stays open for two seconds
				}
				return nil, false
			}
			w.start()
			w.gang("g", 2)
			w.members("g", 2, 1)
			w.wait(time.Second)
			w.mu.Lock()
			if elsewhere {
				chosen = map[string]string{"a": "b", "b": "a"}[chosen]
			}
			for _, name := range []string{"g-0", "g-1"} {
				w.must(w.place(&corev1.Binding{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: name, UID: types.UID("uid-" + name)}, Target: corev1.ObjectReference{Name: chosen}}))
			}
			w.mu.Unlock()
			w.wait(10 * time.Second)
			w.expectBound("g-0", "g-1")
			w.expectCondition("g", metav1.ConditionTrue, reasonScheduled)
		})
	}
}

func TestPodDeletedWhileItIsBound(t *testing.T) {
	inBubble(t, func(w *world) {
		w.node("a", 2)
		w.answer = func(pod, _ string, _ int) (error, bool) {
			if pod != "g-0" {
				return nil, false
			}
			_ = w.client.Tracker().Delete(podsResource, ns, pod)
			return apierrors.NewNotFound(podsResource.GroupResource(), pod), false
		}
		w.start()
		w.gang("g", 2)
		w.members("g", 2, 1)
		w.wait(3 * time.Second)
		w.expectBound("g-1")
		if c := w.condition("g"); c.Status == metav1.ConditionTrue {
			t.Error("the condition is True although the quorum was never bound")
		}
		w.pod("g-2", "g", 1)
		w.wait(time.Second)
		w.expectBound("g-1", "g-2")
		w.expectCondition("g", metav1.ConditionTrue, reasonScheduled)
	})
}

// A gang of which a bind is retried is not confirmed before, and the API server that does not answer is not stormed.
func TestServerThatDoesNotAnswer(t *testing.T) {
	inBubble(t, func(w *world) {
		down, gets := true, 0
		w.answer = func(string, string, int) (error, bool) {
			if down {
				return errInternal, false
			}
			return nil, false
		}
		w.client.PrependReactor("get", "pods", func(kubetesting.Action) (bool, runtime.Object, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			gets++
			return down, nil, errInternal
		})
		w.node("a", 2)
		w.start()
		w.gang("g", 2)
		w.members("g", 2, 1)
		w.wait(10 * time.Minute)
		w.mu.Lock()
		if gets > 400 {
			t.Errorf("%d requests within ten minutes", gets)
		}
		down = false
		w.mu.Unlock()
		w.wait(20 * time.Second)
		w.expectBound("g-0", "g-1")
		w.expectCondition("g", metav1.ConditionTrue, reasonScheduled)
	})
}

func TestStopWaitsForBinds(t *testing.T) {
	inBubble(t, func(w *world) {
		w.node("a", 2)
		w.answer = func(_, _ string, n int) (error, bool) {
			if n == 1 {
				return errTooMany, false // asks for two seconds
			}
			return nil, false
		}
		w.start()
		w.gang("g", 2)
		w.members("g", 2, 1)
		w.wait(time.Second)
		w.expectBound()
		w.end()
		w.expectBound("g-0", "g-1")
		w.expectCondition("g", metav1.ConditionTrue, reasonScheduled)
	})
}
