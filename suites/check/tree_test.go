package check

import (
	"testing"
	"time"

	. "muster/suites/history/historytest"
)

func TestNoPartialTree(t *testing.T) {
	// Two gangs of two under one root that needs both, on nodes that take one pod each.
	tree := func(need int32) *Builder {
		b := New().Nodes(4, Has("gpu=1")).Composite("tree", need)
		for _, name := range []string{"a", "b"} {
			b.Gang(name, 2, Under("tree")).Pods(name, 2, Wants("gpu=1"))
		}
		return b
	}
	one := func(b *Builder) *Builder { return b.Bind("a-0", "node-0").Bind("a-1", "node-1") }
	both := func(b *Builder) *Builder { return one(b).Bind("b-0", "node-2").Bind("b-1", "node-3") }
	branches := func() *Builder {
		b := New().Nodes(4, Has("gpu=1")).Composite("tree", 1).Composite("left", 2, Under("tree")).Composite("right", 1, Under("tree"))
		for name, parent := range map[string]string{"a": "left", "b": "left", "c": "right"} {
			b.Gang(name, 1, Under(parent)).Pods(name, 1, Wants("gpu=1"))
		}
		return b
	}
	try(t, noPartialTree, []told{
		{"both", both(tree(2)).Wait(settled), pass},
		{"neither", tree(2).Wait(settled), pass},
		{"one of two", one(tree(2)).Wait(settled), fail},
		{"one and a half of two", one(tree(2)).Bind("b-0", "node-2").Wait(settled), fail},
		{"one, and one is needed", one(tree(1)).Wait(settled), pass},
		{"one of two, a moment ago", one(tree(2)).Wait(time.Second), doubt},
		{"one of two, while the queue is long", one(tree(2)).Wait(35 * time.Second).Canary(20 * time.Second), doubt},
		{"one of two, for longer than the queue is long", one(tree(2)).Wait(settled).Canary(20 * time.Second), fail},
		{"one of two, then a pod was lost", one(tree(2)).Gone("b-0").Wait(settled), nothing},
		{"one of two, then the root was deleted", one(tree(2)).CompositeGone("tree").Wait(settled), nothing},
		{"one of two, bound before the root came", func() *Builder {
			b := New().Nodes(4, Has("gpu=1")).Gang("a", 1, Under("tree")).Pods("a", 1).Bind("a-0", "node-0")
			return b.Composite("tree", 2).Wait(settled)
		}(), nothing},
		{"one of two by the driver", tree(2).DriverBind("a-0", "node-0").DriverBind("a-1", "node-1").Wait(settled), nothing},
		{"basic", New().Nodes(2).BasicComposite("tree").Gang("a", 1, Under("tree")).Pods("a", 1).Bind("a-0", "node-0").Wait(settled), nothing},
		{"a basic child counts with one pod", New().Nodes(2).Composite("tree", 1).Basic("a", Under("tree")).Pods("a", 2).Bind("a-0", "node-0").Wait(settled), pass},
		{"the scheduler was stopped in between", one(tree(2)).StopScheduler().Wait(settled), doubt},
		{"a branch in part", branches().Bind("a-0", "node-0").Bind("c-0", "node-1").Wait(settled), fail + " " + pass},
		{"the other branch whole", branches().Bind("c-0", "node-1").Wait(settled), pass},
		{"a circle", New().Nodes(1).Composite("x", 1, Under("y")).Composite("y", 1, Under("x")).Gang("g", 1, Under("x")).Pods("g", 1).Wait(settled), pass},
		{"a gap in pods", one(tree(2)).BreakWatch("pods").Wait(settled), doubt},
	})
}
