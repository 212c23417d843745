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
		want bool
	}{
		{"it runs", there(), false},
		{"announced and deleted", there().Evict("p"), true},
		{"announced only", there().Disrupt("p"), false},
		{"deleted without a word", there().Deleting("p"), true},
		{"announced and gone", there().Evict("p").Gone("p"), true},
		{"the driver deleted it", there().DriverDelete("p"), false},
		{"the driver deleted another", there().Pod("q", "").Bind("q", "node-0").Evict("p").DriverDelete("q"), true},
		{"its controller deleted it", there(Owned("r")).Deleting("p"), false},
		{"a controller's pod, announced", there(Owned("r")).Evict("p"), true},
		{"never bound", New().Nodes(1).Pod("p", "").Deleting("p"), false},
		{"it had finished", there().Finish(corev1.PodSucceeded, "p").Deleting("p"), false},
		{"its node had gone", there().NodeGone("node-0").Deleting("p"), false},
	} {
		v := tt.told.View()
		if got := v.Preempted(v.Pod("p")); got != tt.want {
			t.Errorf("%s: preempted %v, want %v", tt.name, got, tt.want)
		}
	}
	v := New().Nodes(1).Pod("a", "").Pod("b", "").Bind("a", "node-0").Bind("b", "node-0").Evict("b").Evict("a").View()
	if got := v.PreemptedPods(); len(got) != 2 || got[0].Name != "b" {
		t.Errorf("preempted pods are not in order of their deletion: %v", got)
	}
}
