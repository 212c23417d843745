package premise_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

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

// Following every state of a replay gives the same moves as comparing whole states does.
func TestWatcherFollowsAsItCompares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := historytest.New().Nodes(3, historytest.Has("cpu=8"))
		var waiting, standing []string
		for i := range rapid.IntRange(1, 30).Draw(t, "deeds") {
			name := fmt.Sprintf("p%d", i)
			switch rapid.IntRange(0, 5).Draw(t, "deed") {
			case 0, 1:
				b.Pod(name, "")
				waiting = append(waiting, name)
			case 2:
				if len(waiting) > 0 {
					b.Bind(waiting[0], "node-0")
					standing, waiting = append(standing, waiting[0]), waiting[1:]
				}
			case 3:
				if len(standing) > 0 {
					b.Gone(standing[0])
					standing = standing[1:]
				}
			case 4:
				b.Gang(name, 2)
			case 5:
				b.ChangeNode("node-1", func(n *corev1.Node) { n.Spec.Unschedulable = !n.Spec.Unschedulable })
			}
		}
		var follows, compares premise.Watcher
		skip := rapid.IntRange(0, 3).Draw(t, "skip")
		b.View().Replay(func(s *history.State, _ history.Stamp) bool {
			if skip > 0 {
				skip--
				return true
			}
			alone := *s
			alone.Delta = nil
			if got, want := follows.See(s), compares.See(&alone); got != want {
				t.Fatalf("move %d by following, %d by comparing", got, want)
			}
			return true
		})
	})
}
