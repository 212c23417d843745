package runner

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"

	"muster/perf/scenario"
)

// waiting is a stage that waits for one phase, with a profile that allows 0.5 × √members + 5 s for attempts.
func waiting(t *testing.T, p *scenario.Phase) *stage {
	t.Helper()
	st := stageOf(t, "perfect-fit", scenario.Size{})
	st.o.Patience, st.profile.SettleRoot, st.profile.SettleBase = 5*time.Minute, 0.5, 5
	st.ctx, st.say = t.Context(), func(string) {}
	st.tally = tallyOf(t, p.Groups...)
	return st
}

// A wave that does not fit is over when the attempts are, long before the patience with a scheduler that hangs; its pods
// end, those that wait are deleted, and the next can come.
func TestAWaveThatSettles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &scenario.Phase{Name: "w", Measured: true, Perfect: true, Finish: true,
			Groups: []scenario.Group{{Name: "g", Count: 2, Policy: scenario.Gang, Quorum: 4, Pods: []scenario.Pods{{Count: 4}}}}}
		st := waiting(t, p)
		for _, name := range []string{"g-0-0", "g-0-1", "g-0-2", "g-0-3", "g-1-0", "g-1-1", "g-1-2", "g-1-3"} {
			st.tally.tell(name, nil)
		}
		for _, name := range []string{"g-0-0", "g-0-1", "g-0-2", "g-0-3"} {
			st.tally.tell(name, bind)
		}
		began := time.Now()
		if err := st.awaitBinds(0, p); err != nil || time.Since(began) != 6*time.Second {
			t.Fatalf("%v after %s; want to go on after 6 s", err, time.Since(began))
		}
		var finished, removed []string
		err := st.clear(0, p, func(finish, remove []string) {
			finished, removed = finish, remove
			for _, name := range slices.Concat(finish, remove) {
				st.tally.tell(name, func(pod *corev1.Pod) { pod.Status.Phase = corev1.PodSucceeded })
			}
		})
		if err != nil || !slices.Equal(finished, []string{"g-0-0", "g-0-1", "g-0-2", "g-0-3"}) || !slices.Equal(removed, []string{"g-1-0", "g-1-1", "g-1-2", "g-1-3"}) {
			t.Errorf("%v; finished %v, removed %v", err, finished, removed)
		}
		if err := waiting(t, p).clear(0, p, func([]string, []string) {}); !errors.Is(err, errStalled) {
			t.Errorf("pods that do not end: %v", err)
		}
	})
}

// A load that has to be bound is waited for with all patience, and is not given up in silence.
func TestOtherPhasesMustBeBound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &scenario.Phase{Name: "load", Measured: true, Groups: []scenario.Group{{Name: "g", Count: 1, Policy: scenario.Plain, Pods: []scenario.Pods{{Count: 1}}}}}
		st, began := waiting(t, p), time.Now()
		if err := st.awaitBinds(0, p); !errors.Is(err, errStalled) || time.Since(began) != 5*time.Minute {
			t.Errorf("%v after %s", err, time.Since(began))
		}
	})
}

// What stands in the way must have been attempted before the others come: as far as anybody tells of it, and else for as long
// as an attempt may take. What is measured must be told.
func TestAttemptsAreWaitedFor(t *testing.T) {
	phase := func(measured bool) *scenario.Phase {
		return &scenario.Phase{Name: "cloggers", Measured: measured,
			Groups: []scenario.Group{{Name: "c", Count: 1, Policy: scenario.Gang, Quorum: 4, Unbound: true, Pods: []scenario.Pods{{Count: 4}}}}}
	}
	create := func(st *stage) {
		for _, name := range []string{"c-0-0", "c-0-1", "c-0-2", "c-0-3"} {
			st.tally.tell(name, nil)
		}
	}
	for _, tc := range []struct {
		name     string
		measured bool
		told     time.Duration // 0: never
		want     time.Duration
		stalled  bool
	}{
		{"told", false, 2 * time.Second, 2 * time.Second, false},
		{"never told", false, 0, 6 * time.Second, false},
		{"measured, and told late", true, time.Minute, time.Minute, false},
		{"measured, and never told", true, 0, 5 * time.Minute, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := phase(tc.measured)
				st := waiting(t, p)
				create(st)
				if tc.told > 0 {
					time.AfterFunc(tc.told, func() { st.tally.tell("c-0-1", unschedulable) })
				}
				began := time.Now()
				err := st.awaitRefusals(0, p)
				if time.Since(began) != tc.want || errors.Is(err, errStalled) != tc.stalled || err != nil && !tc.stalled {
					t.Errorf("%v after %s; want %s", err, time.Since(began), tc.want)
				}
			})
		})
	}
}
