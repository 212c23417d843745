package control

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A gang that fits without the node to which every bind fails is completed there, and who comes later tries others first.
func TestNodeThatRefusesBinds(t *testing.T) {
	for name, refusal := range map[string]error{"403": errForbid, "500": errInternal} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				tried := 0
				w.answer = func(_, node string, _ int) (error, bool) {
					if node == "a" {
						tried++
						return refusal, false
					}
					return nil, false
				}
				for _, n := range []string{"a", "b", "c", "d"} {
					w.node(n, 1)
				}
				w.start()
				w.gang("g", 2)
				w.members("g", 2, 1)
				w.wait(5 * time.Second)
				w.expectBound("g-0", "g-1")
				w.expectCondition("g", metav1.ConditionTrue, reasonScheduled)
				before := tried
				w.pod("later", "", 1)
				w.wait(5 * time.Second)
				w.expectBound("g-0", "g-1", "later")
				if before == 0 || tried != before {
					t.Errorf("%d binds to the node, and %d after it had refused some", before, tried-before)
				}
				w.mu.Lock()
				w.answer = nil
				w.mu.Unlock()
				w.pod("last", "", 1)
				w.wait(5 * time.Second)
				w.expectBound("g-0", "g-1", "last", "later")
			})
		})
	}
}

// While no bind succeeds a gang of any size asks about as often, and when they succeed again it is completed; also when
// one of its pods is refused still.
func TestWhileNothingCanBeBound(t *testing.T) {
	for _, size := range []int{3, 40} {
		for _, odd := range []string{"", "g-1"} {
			t.Run(fmt.Sprintf("%d,%s", size, odd), func(t *testing.T) {
				inBubble(t, func(w *world) {
					down, asked := true, 0
					w.answer = func(pod, _ string, _ int) (error, bool) {
						asked++
						if down || pod == odd {
							return errInternal, false
						}
						return nil, false
					}
					w.node("a", int64(size))
					w.start()
					w.gang("g", int32(size))
					w.members("g", size, 1)
					w.wait(time.Minute)
					w.expectBound()
					if most := bindTries*size + 20; asked > most {
						t.Errorf("%d binds asked for within a minute, want at most %d", asked, most)
					}
					w.mu.Lock()
					down = false
					w.mu.Unlock()
					w.wait(time.Minute)
					var want []string
					for i := range size {
						if name := fmt.Sprint("g-", i); name != odd {
							want = append(want, name)
						}
					}
					slices.Sort(want)
					w.expectBound(want...)
				})
			})
		}
	}
}

func TestDistrust(t *testing.T) {
	d, now := distrust{}, time.Unix(1000, 0)
	d.failed("b", now)
	d.failed("a", now.Add(time.Second))
	if got := strings.Join(d.avoided(now.Add(2*time.Second)), " "); got != "a b" {
		t.Errorf("avoided: %q", got)
	}
	if got := strings.Join(d.avoided(now.Add(distrustFor)), " "); got != "a" {
		t.Errorf("avoided when the first may be tried again: %q", got)
	}
	d.bound("a")
	if got := d.avoided(now); len(got) > 0 {
		t.Errorf("avoided after a bind: %q", got)
	}
	for i := range distrustMost + 1 {
		d.failed(fmt.Sprint(i), now)
	}
	if got := d.avoided(now); len(got) > 0 {
		t.Errorf("avoided where it is not the nodes: %q", got)
	}
}
