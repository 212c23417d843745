package check

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"muster/suites"
	. "muster/suites/history/historytest"
)

// world is a cluster of equal slots in which a scheduler of our own making binds: enough to tell stories of any length
// whose right judgement is known.
type world struct {
	*Builder
	free    []int
	waiting map[string][]string // gang → pods that exist and are not bound, by age
	bound   map[string]int
	quorum  map[string]int
	placed  map[string][]int // gang → nodes of its bound pods, in order of their numbers
	made    map[string]int   // gang → members created
	gangs   int
	order   []string
}

func newWorld(t *rapid.T) *world {
	w := &world{Builder: New(), waiting: map[string][]string{}, bound: map[string]int{}, quorum: map[string]int{},
		placed: map[string][]int{}, made: map[string]int{}}
	for range rapid.IntRange(1, 3).Draw(t, "nodes") {
		w.free = append(w.free, rapid.IntRange(1, 4).Draw(t, "slots"))
		w.Node(fmt.Sprint("n", len(w.free)-1), Has(fmt.Sprint("slot=", w.free[len(w.free)-1])))
	}
	return w
}

func (w *world) total() (n int) {
	for _, f := range w.free {
		n += f
	}
	return n
}

func (w *world) bind(pod, gang string) {
	for i, f := range w.free {
		if f > 0 {
			w.free[i]--
			w.placed[gang] = append(w.placed[gang], i)
			w.bound[gang]++
			w.Bind(pod, fmt.Sprint("n", i))
			return
		}
	}
}

// honest binds a gang's waiting pods as far as there is room, but only when its quorum is met by that.
func (w *world) honest() {
	for _, g := range w.order {
		if w.bound[g]+min(len(w.waiting[g]), w.total()) < w.quorum[g] {
			continue
		}
		for len(w.waiting[g]) > 0 && w.total() > 0 {
			w.bind(w.waiting[g][0], g)
			w.waiting[g] = w.waiting[g][1:]
		}
		if w.bound[g] > 0 {
			w.Satisfied(g, "True", "Scheduled")
		}
	}
}

// careless binds pod by pod and never looks at quorums.
func (w *world) careless() {
	for _, g := range w.order {
		for len(w.waiting[g]) > 0 && w.total() > 0 {
			w.bind(w.waiting[g][0], g)
			w.waiting[g] = w.waiting[g][1:]
		}
	}
}

// step lets something happen that is not the scheduler's doing.
func (w *world) step(t *rapid.T) {
	switch rapid.SampledFrom([]string{"gang", "member", "member", "end", "wait"}).Draw(t, "step") {
	case "gang":
		name := fmt.Sprint("g", w.gangs)
		w.gangs++
		w.order = append(w.order, name)
		w.quorum[name] = rapid.IntRange(1, 5).Draw(t, "quorum")
		w.Gang(name, int32(w.quorum[name]))
		for range rapid.IntRange(0, 6).Draw(t, "members") {
			w.member(name)
		}
	case "member":
		if len(w.order) > 0 {
			w.member(rapid.SampledFrom(w.order).Draw(t, "of"))
		}
	case "end": // a whole gang that met its quorum ends, and does not come back
		for i, g := range w.order {
			if w.quorum[g] > w.bound[g] {
				continue
			}
			// Members are bound in the order they were made in, so the bound ones are the first.
			for pod, n := range w.placed[g] {
				w.free[n]++
				w.Gone(fmt.Sprintf("%s-%d", g, pod))
			}
			w.Gone(w.waiting[g]...).GangGone(g)
			w.order = append(w.order[:i:i], w.order[i+1:]...)
			return
		}
	case "wait":
		w.Wait(settled)
	}
}

func (w *world) member(gang string) {
	w.Pods(gang, 1, Wants("slot=1"))
	w.waiting[gang] = append(w.waiting[gang], fmt.Sprintf("%s-%d", gang, w.made[gang]))
	w.made[gang]++
}

// An honest scheduler is never accused, whatever happens around it.
func TestHonestSchedulerIsNeverAccused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			w.step(t)
			w.honest()
		}
		w.Wait(settled)
		for _, f := range Judge(w.View()) {
			if f.Verdict != suites.Pass {
				t.Fatalf("%s: %s %s %v", f.Check, f.Verdict, f.Message, f.Objects)
			}
		}
	})
}

// A scheduler that ignores groups is caught whenever it leaves one in part.
func TestCarelessSchedulerIsCaught(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		name := "g"
		w.order, w.quorum[name] = []string{name}, rapid.IntRange(2, 6).Draw(t, "quorum")
		w.Gang(name, int32(w.quorum[name]))
		for range rapid.IntRange(1, 6).Draw(t, "members") {
			w.member(name)
		}
		w.Wait(time.Second)
		w.careless()
		w.Wait(settled)
		partial := w.bound[name] > 0 && w.bound[name] < w.quorum[name]
		v := w.View()
		for _, c := range []Check{noPartialAtRest, noBindWhenInfeasible} {
			if got := verdicts(c.Func(v)); (got == fail) != partial {
				t.Fatalf("%d of quorum %d bound: %s says %q", w.bound[name], w.quorum[name], c.Name, got)
			}
		}
	})
}
