package preemption

import (
	"testing"
	"time"

	"muster/suites"
	"muster/suites/check"
	"muster/suites/history/historytest"
)

// The scenario about the fewest victims is paced so that the invariant about cheap victims can speak about each of its
// two preemptors: a list of known failures relies on it.
func TestFewestVictimsIsPacedForTheInvariant(t *testing.T) {
	told := func(gangTakes ...string) *historytest.Builder {
		b := begin().nodes("gang", 2, 2).nodes("pod", 2, 2)
		for _, w := range []string{"gang", "pod"} {
			b.stands(w+"-small-0", "", w+"-0", 100).stands(w+"-small-1", "", w+"-0", 100).stands(w+"-large", "", w+"-1", 100, gpus(2)).
				stands(w+"-ballast", "", w+"-1", 2000, historytest.Wants("cpu=40"))
		}
		b.Hold("the stage is known", pause).Mark(ready)
		b.attack("g", "gang", 1, 1, gpus(2)).evict(gangTakes...)
		node := "gang-0"
		if len(gangTakes) == 1 {
			node = "gang-1"
		}
		b.bind("g-0", node).Hold("history", pause)
		return b.comes("p", "pod", gpus(2)).evict("pod-large").bind("p", "pod-1").settled()
	}
	for _, tt := range []struct {
		name string
		told *historytest.Builder
		want suites.Verdict
	}{
		{"two for one", told("gang-small-0", "gang-small-1"), fail},
		{"one each", told("gang-large"), pass},
	} {
		got := suites.Verdict("")
		for _, f := range check.Judge(tt.told.Wait(time.Second).View()) {
			if f.Check == "PreemptionMinimal" && (got == "" || f.Verdict.Worse(got)) {
				got = f.Verdict
			}
		}
		if got != tt.want {
			t.Errorf("%s: the invariant says %q, want %q", tt.name, got, tt.want)
		}
	}
}
