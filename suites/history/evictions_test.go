package history_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	. "muster/suites/history/historytest"
)

func TestPreempted(t *testing.T) {
	there := func(opts ...PodOption) *Builder { return New().Nodes(1).Pod("p", "", opts...).Bind("p", "node-0") }
	for _, tt := range []struct {
		name string
		told *Builder
		// said: by the scheduler's own words; want: by elimination too.
		said, want bool
	}{
		{"it runs", there(), false, false},
		{"announced and deleted", there().Evict("p"), true, true},
		{"announced only", there().Disrupt("p"), false, false},
		{"deleted without a word", there().Deleting("p"), false, true},
		{"announced and gone", there().Evict("p").Gone("p"), true, true},
		{"the driver deleted it", there().DriverDelete("p"), false, false},
		{"the driver deleted another", there().Pod("q", "").Bind("q", "node-0").Evict("p").DriverDelete("q"), true, true},
		{"its controller deleted it", there(Owned("r")).Deleting("p"), false, false},
		{"a controller's pod, announced", there(Owned("r")).Evict("p"), true, true},
		{"never bound", New().Nodes(1).Pod("p", "").Deleting("p"), false, false},
		{"it had finished", there().Finish(corev1.PodSucceeded, "p").Deleting("p"), false, false},
		{"its node had gone", there().NodeGone("node-0").Deleting("p"), false, false},
	} {
		v := tt.told.View()
		if got := v.Preempted(v.Pod("p")); got != tt.said {
			t.Errorf("%s: preempted %v, want %v", tt.name, got, tt.said)
		}
		if got := v.Evicted(v.Pod("p")); got != tt.want {
			t.Errorf("%s: evicted %v, want %v", tt.name, got, tt.want)
		}
	}
	v := New().Nodes(1).Pod("a", "").Pod("b", "").Bind("a", "node-0").Bind("b", "node-0").Evict("b").Evict("a").View()
	if got := v.PreemptedPods(); len(got) != 2 || got[0].Name != "b" {
		t.Errorf("preempted pods are not in order of their deletion: %v", got)
	}
}
