package control

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kubetesting "k8s.io/client-go/testing"
)

// Refusals of evictions are survived: those that pass are repeated, and what cannot be evicted is tried again later, not
// all the time.
func TestEvictionsAreRetried(t *testing.T) {
	for name, refusal := range map[string]error{"409": errConflict, "429": errTooMany, "500": errInternal, "403": errForbid} {
		for _, verb := range []string{"patch", "delete"} {
			for _, times := range []int{2, 30} {
				t.Run(fmt.Sprint(name, verb, times), func(t *testing.T) {
					inBubble(t, func(w *world) {
						w.slowly()
						refused := 0
						w.client.PrependReactor(verb, "pods", func(a kubetesting.Action) (bool, runtime.Object, error) {
							w.mu.Lock()
							defer w.mu.Unlock()
							p, ok := a.(kubetesting.PatchAction)
							if ok && p.GetName() != "low" {
								return false, nil, nil
							}
							if refused++; refused <= times {
								return true, nil, refusal
							}
							return false, nil, nil
						})
						w.node("a", 1)
						w.pod("low", "", 1, on("a"))
						w.start()
						w.pod("high", "", 1, priority(9))
						w.wait(5 * time.Second)
						w.mu.Lock()
						asked := refused
						w.mu.Unlock()
						if asked > 40 {
							t.Errorf("asked %d times in five seconds", asked)
						}
						w.wait(5 * time.Minute)
						w.expectEnding("low")
					})
				})
			}
		}
	}
}

// Of two that go together one is refused at once, the other after its API server had trouble for a while. Nobody else is
// evicted for that: a plan made in between would take the second for gone already, and a third pod for as good as the first.
// When both may go they do.
func TestRefusalsAreTakenTogether(t *testing.T) {
	inBubble(t, func(w *world) {
		w.slowly()
		asked, told := map[string]int{}, map[string]bool{}
		w.client.PrependReactor("patch", "pods", func(a kubetesting.Action) (bool, runtime.Object, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			p := a.(kubetesting.PatchAction)
			told[p.GetName()] = told[p.GetName()] || bytes.Contains(p.GetPatch(), []byte(corev1.DisruptionTarget))
			return false, nil, nil
		})
		w.client.PrependReactor("delete", "pods", func(a kubetesting.Action) (bool, runtime.Object, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			name := a.(kubetesting.DeleteAction).GetName()
			switch asked[name]++; {
			case name == "pair-0" && asked[name] <= 3, name == "pair-1" && asked[name]%evictTries == 0 && asked[name] <= 3*evictTries:
				return true, nil, errForbid
			case name == "pair-1" && asked[name] < 3*evictTries:
				return true, nil, errInternal
			}
			return false, nil, nil
		})
		w.node("a", 2)
		w.node("b", 2)
		w.gang("pair", 2, func(g *schedulingv1beta1.PodGroup) {
			g.Spec.DisruptionMode = &schedulingv1beta1.DisruptionMode{All: &schedulingv1beta1.AllDisruptionMode{}}
		})
		for _, name := range []string{"pair-0", "pair-1"} {
			w.pod(name, "pair", 1, on("a"))
		}
		for _, name := range []string{"younger-0", "younger-1"} {
			w.pod(name, "", 1, on("b"))
		}
		w.start()
		w.gang("high", 2, important)
		w.members("high", 2, 1, priority(9))
		w.wait(time.Minute)
		w.expectEnding("pair-0", "pair-1")
		w.mu.Lock()
		defer w.mu.Unlock()
		if told["younger-0"] || told["younger-1"] || asked["pair-0"] != 4 {
			t.Errorf("told that they go: %v; deletions asked for: %v, want four of pair-0", told, asked)
		}
	})
}

// However many victims are refused, a plan has failed once: it is made again after 100 ms, not after a second or ten.
func TestRefusalsOfOnePlanCountOnce(t *testing.T) {
	inBubble(t, func(w *world) {
		w.slowly()
		asked := map[string]int{}
		w.client.PrependReactor("delete", "pods", func(a kubetesting.Action) (bool, runtime.Object, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			name := a.(kubetesting.DeleteAction).GetName()
			if asked[name]++; asked[name] == 1 {
				return true, nil, errForbid
			}
			return false, nil, nil
		})
		w.node("a", 8)
		var low []string
		for i := range 8 {
			low = append(low, fmt.Sprint("low-", i))
			w.pod(low[i], "", 1, on("a"))
		}
		w.start()
		w.pod("high", "", 8, priority(9))
		w.wait(time.Second)
		w.expectEnding(low...)
	})
}

// A restart in the middle evicts nobody more.
func TestPreemptionSurvivesARestart(t *testing.T) {
	inBubble(t, func(w *world) {
		finish := w.slowly()
		w.node("a", 2)
		w.node("b", 2)
		w.node("c", 2)
		for _, n := range []string{"a", "b", "c"} {
			w.pod("low-"+n, "", 2, on(n))
		}
		w.start()
		w.gang("high", 2, important)
		w.members("high", 2, 2, priority(9))
		w.wait(time.Second)
		went := w.ending()
		if len(went) != 2 {
			t.Fatalf("being deleted are %q", went)
		}
		w.start()
		w.wait(time.Second)
		w.expectEnding(went...)
		finish(went...)
		w.wait(time.Second)
		if got := w.bound(); len(got) != 3 {
			t.Fatalf("bound are %q", got)
		}
	})
}

// When the place that was made is lost, another one is looked for, and what ends already is counted on.
func TestPreemptionIsPlannedAgain(t *testing.T) {
	inBubble(t, func(w *world) {
		w.slowly()
		w.node("a", 1)
		w.node("b", 1)
		w.pod("low-a", "", 1, on("a"))
		w.pod("low-b", "", 1, on("b"), priority(1))
		w.start()
		w.pod("high", "", 1, priority(9))
		w.wait(time.Second)
		w.expectEnding("low-a")
		w.must(w.client.CoreV1().Nodes().Delete(t.Context(), "a", metav1.DeleteOptions{}))
		w.wait(time.Second)
		w.expectEnding("low-a", "low-b")
		if got := w.get("high").Status.NominatedNodeName; got != "b" {
			t.Errorf("nominated for %q, want b", got)
		}
	})
}

// A higher priority takes the room that is being made for a lower one.
func TestPreemptionByAHigherPriority(t *testing.T) {
	inBubble(t, func(w *world) {
		finish := w.slowly()
		w.node("a", 1)
		w.pod("low", "", 1, on("a"))
		w.start()
		w.pod("high", "", 1, priority(9))
		w.wait(time.Second)
		w.expectEnding("low")
		w.pod("higher", "", 1, priority(10))
		w.wait(time.Second)
		if a, b := w.get("higher").Status.NominatedNodeName, w.get("high").Status.NominatedNodeName; a != "a" || b != "" {
			t.Errorf("nominated for %q and %q, want the higher one for a", a, b)
		}
		finish("low")
		w.wait(time.Second)
		w.expectBound("higher")
		w.expectEnding()
	})
}
