package premise_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"muster/suites/history"
	"muster/suites/history/historytest"
	"muster/suites/premise"
)

func TestWatcherTellsMoves(t *testing.T) {
	tests := []struct {
		name string
		// what happens after a stage of one node, a placed pod and a waiting one.
		then func(*historytest.Builder) *historytest.Builder
		want premise.Move
	}{
		{"a condition", func(b *historytest.Builder) *historytest.Builder { return b.Reject("waits") }, premise.Still},
		{"a heartbeat", func(b *historytest.Builder) *historytest.Builder {
			return b.ChangeNode("node-0", func(n *corev1.Node) { n.Annotations = map[string]string{"beat": "1"} })
		}, premise.Still},
		{"another waiting pod", func(b *historytest.Builder) *historytest.Builder { return b.Pod("more", "") }, premise.Still},
		{"a bind", func(b *historytest.Builder) *historytest.Builder { return b.Bind("waits", "node-0") }, premise.Filled},
		{"a placed pod finishes", func(b *historytest.Builder) *historytest.Builder { return b.Finish(corev1.PodFailed, "placed") }, premise.Moved},
		{"a placed pod is on its way out", func(b *historytest.Builder) *historytest.Builder { return b.Deleting("placed") }, premise.Moved},
		{"a placed pod goes", func(b *historytest.Builder) *historytest.Builder { return b.Gone("placed") }, premise.Moved},
		{"a placed pod is labelled", func(b *historytest.Builder) *historytest.Builder {
			return b.ChangePod("placed", func(p *corev1.Pod) { p.Labels = map[string]string{"a": "b"} })
		}, premise.Moved},
		{"a node comes", func(b *historytest.Builder) *historytest.Builder { return b.Node("new") }, premise.Moved},
		{"a node goes", func(b *historytest.Builder) *historytest.Builder { return b.NodeGone("node-0") }, premise.Moved},
		{"a node grows", func(b *historytest.Builder) *historytest.Builder {
			return b.ChangeNode("node-0", historytest.Has("cpu=65"))
		}, premise.Moved},
		{"a cordon", func(b *historytest.Builder) *historytest.Builder {
			return b.ChangeNode("node-0", func(n *corev1.Node) { n.Spec.Unschedulable = true })
		}, premise.Moved},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := historytest.New().Nodes(1).Pod("placed", "", historytest.Placed("node-0")).Pod("waits", "").Mark("stage")
			v := tt.then(b).View()
			var w premise.Watcher
			stage := at(t, v, "stage")
			if w.See(v.StateAt(stage)) != premise.Moved {
				t.Error("the first state is always a move")
			}
			got := premise.Still
			v.Replay(func(s *history.State, at history.Stamp) bool {
				if at.After(stage) {
					got = max(got, w.See(s))
				}
				return true
			})
			if got != tt.want {
				t.Errorf("move %d, want %d", got, tt.want)
			}
		})
	}
}
