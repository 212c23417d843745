package measure

import (
	"testing"

	"muster/suites/history/historytest"
)

// A gang that waits for the gangs it is scheduled with waits for the creator as much as one that waits for its own members.
func TestWhole(t *testing.T) {
	for _, tc := range []struct {
		name  string
		top   func(*historytest.Builder) *historytest.Builder
		whole int
	}{
		{"each by itself", func(b *historytest.Builder) *historytest.Builder { return b.Gang("a", 2).Gang("b", 2) }, 3},
		{"together", func(b *historytest.Builder) *historytest.Builder {
			return b.Composite("c", 2).Gang("a", 2, historytest.Under("c")).Gang("b", 2, historytest.Under("c"))
		}, 1},
		{"below what only holds them", func(b *historytest.Builder) *historytest.Builder {
			return b.BasicComposite("c").Gang("a", 2, historytest.Under("c")).Gang("b", 2, historytest.Under("c"))
		}, 3},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := tc.top(historytest.New().Nodes(1)).Pod("plain", "").Pods("a", 2).Pods("b", 2).
				BindAll("node-0", "plain", "a-0", "a-1", "b-0", "b-1")
			l := load(tapeOf(t, b), Burst, nil)
			if l.Whole != tc.whole || l.WholeLater != tc.whole || l.Later != 5 || l.Early != 0 {
				t.Errorf("%+v; want %d whole", l, tc.whole)
			}
		})
	}
}
