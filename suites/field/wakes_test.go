package field

import (
	"strings"
	"testing"
	"time"

	"muster/suites"
	"muster/suites/history/historytest"
)

func TestClassify(t *testing.T) {
	const settle, usual = 19 * time.Second, 200 * time.Millisecond
	for _, c := range []struct {
		bound   bool
		latency time.Duration
		want    string
	}{
		{true, 0, eventDriven},
		{true, usual + slack, eventDriven},
		{true, usual + slack + 1, backoffRetry},
		{true, settle, backoffRetry},
		{true, settle + 1, notAtAll},
		{false, 0, notAtAll},
	} {
		if got := classify(c.bound, c.latency, usual, settle); got != c.want {
			t.Errorf("bound %t after %s: got %q, want %q", c.bound, c.latency, got, c.want)
		}
	}
}

// TestWakes tells of six gangs that are woken in different ways and looks for them in the observed value.
func TestWakes(t *testing.T) {
	b := historytest.New().Nodes(8, gpus(2))
	for _, w := range wakes {
		if w.name != "gang-created" {
			b.Gang(w.name, 2)
		}
		b.Pods(w.name, 2, gpu)
	}
	b.BindAll("node-5", names("quorum-lowered", 0, 2)...)
	b.Wait(ripe)
	for _, w := range wakes {
		b.Mark(markBefore(w.name))
		if w.name == "gang-created" {
			b.Gang(w.name, 2)
		}
		b.Mark(markDone(w.name)).Pod(witnessOf(w.name), "", gpu).Bind(witnessOf(w.name), "node-7")
	}
	b.BindAll("node-0", names("pod-deleted", 0, 2)...)
	b.Bind("label-changed-0", "node-1")
	b.Wait(6*time.Second).BindAll("node-2", names("taint-removed", 0, 2)...).BindAll("node-3", names("gang-created", 0, 2)...)
	b.Wait(wait).BindAll("node-4", names("node-added", 0, 2)...).Mark("waited-for")

	findings := judgeWakes(b.View())
	if len(findings) != 1 || findings[0].Verdict != suites.Observed {
		t.Fatalf("got %+v, want one Observed", findings)
	}
	for _, want := range []string{
		"pod-deleted: event-driven, 0.0 s", "taint-removed: back-off retry, 6.0 s", "gang-created: back-off retry, 6.0 s",
		"node-added: none", "label-changed: none", "quorum-lowered: not measured",
	} {
		if !strings.Contains(findings[0].Value, want) {
			t.Errorf("the value lacks %q: %s", want, findings[0].Value)
		}
	}
}
