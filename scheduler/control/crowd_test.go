package control

import (
	"fmt"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
)

// TestCrowdWithoutHope: equal pods that nobody can help are not looked into one by one, neither for victims nor for room to
// keep; and they are looked into again when room has come free.
func TestCrowdWithoutHope(t *testing.T) {
	inBubble(t, func(w *world) {
		w.opts.HeadWait, w.opts.Metrics = time.Minute, NewMetrics()
		w.node("a", 4)
		w.pod("low", "", 4, on("a"))
		w.pod("high", "", 1, on("a"), priority(200))
		w.start()
		for i := range 100 {
			w.pod(fmt.Sprint("crowd-", i), "", 9, priority(100))
			w.wait(10 * time.Millisecond)
		}
		w.wait(50 * time.Second)
		plans := w.opts.Metrics.preemptions.WithLabelValues("NoPlan")
		if n := testutil.ToFloat64(plans); n != 1 {
			t.Errorf("victims were looked for %v times for 100 equal pods", n)
		}
		w.wait(30 * time.Second)
		if n := testutil.ToFloat64(w.opts.Metrics.reserves.WithLabelValues("hopeless")); n < 1 || n > 2 { // not all have waited as long
			t.Errorf("room was to be kept %v times for 100 equal pods", n)
		}
		w.deletePod("high")
		w.wait(10 * time.Second)
		if n := testutil.ToFloat64(plans); n != 2 {
			t.Errorf("once room had come free, victims were looked for %v times in all", n)
		}
		w.node("b", 9)
		w.wait(10 * time.Second)
		if n := len(w.bound()); n != 2 {
			t.Errorf("%d pods are bound; want the one of lower priority, and one of the crowd", n)
		}
	})
}

// TestHopelessHeads: those that no cluster of this size takes do not stand in the way of the one it does.
func TestHopelessHeads(t *testing.T) {
	inBubble(t, func(w *world) {
		w.opts.HeadWait = time.Minute
		w.node("a", 4)
		w.pod("old", "", 1, on("a"))
		w.start()
		for i := range 20 {
			w.pod(fmt.Sprint("never-", i), "", int64(5+i), priority(9))
		}
		w.pod("large", "", 4)
		w.wait(70 * time.Second)
		w.pod("late", "", 1)
		w.wait(time.Second)
		w.expectBound("old")
		w.deletePod("old")
		w.wait(time.Second)
		w.expectBound("large")
	})
}
