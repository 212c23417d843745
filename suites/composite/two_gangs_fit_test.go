package composite

import (
	"testing"

	"muster/suites/history/historytest"
)

// A scheduler writes the conditions of a tree in the order it likes, and the one that comes last is waited for.
func TestTreeSaysSo(t *testing.T) {
	bound := func() *historytest.Builder { return bind(bind(two(room(4)), "a", 0, 1), "b", 2, 3) }
	leaf := func(b *historytest.Builder, name string) *historytest.Builder {
		return b.Satisfied(name, "True", "Scheduled")
	}
	top := func(b *historytest.Builder) *historytest.Builder { return b.CompositeSays("tree", "True", "Scheduled") }
	for name, c := range map[string]struct {
		tell *historytest.Builder
		want bool
	}{
		"nobody yet":       {bound(), false},
		"the tree alone":   {top(bound()), false},
		"one leaf silent":  {leaf(top(bound()), "a"), false},
		"the leaves alone": {leaf(leaf(bound(), "a"), "b"), false},
		"leaves last":      {leaf(leaf(top(bound()), "a"), "b"), true},
		"the tree last":    {top(leaf(leaf(bound(), "a"), "b")), true},
		"one says False":   {leaf(top(bound()), "a").Satisfied("b", "False", "Unschedulable"), false},
	} {
		if got := treeSaysSo(c.tell.View()); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}
