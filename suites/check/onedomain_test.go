package check

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	. "muster/suites/history/historytest"
)

// racks is two racks of two nodes with four GPUs each: node-0, node-1 in "a", node-2, node-3 in "b"; node-4 in none.
func racks() *Builder {
	b := New()
	for i, rack := range []string{"a", "a", "b", "b", ""} {
		opts := []NodeOption{Has("gpu=4")}
		if rack != "" {
			opts = append(opts, NodeLabel("rack", rack))
		}
		b.Node(fmt.Sprint("node-", i), opts...)
	}
	return b
}

func TestOneDomain(t *testing.T) {
	pair := func() *Builder { return racks().Gang("g", 2, OneDomain("rack")).Pods("g", 2) }
	moved := func(n *corev1.Node) { n.Labels["rack"] = "b" }
	stripped := func(n *corev1.Node) { delete(n.Labels, "rack") }
	try(t, oneDomain, []told{
		{"one rack", pair().Bind("g-0", "node-0").Bind("g-1", "node-1"), pass},
		{"two racks", pair().Bind("g-0", "node-0").Bind("g-1", "node-2"), fail},
		{"no label", pair().Bind("g-0", "node-4").Bind("g-1", "node-4"), fail},
		{"no constraint", racks().Gang("g", 2).Pods("g", 2).Bind("g-0", "node-0").Bind("g-1", "node-2"), nothing},
		{"nothing bound", pair().Wait(settled), nothing},
		{"basic group in two racks", racks().Basic("g", OneDomain("rack")).Pods("g", 2).Bind("g-0", "node-0").Bind("g-1", "node-2"), fail},
		{"another key", racks().Gang("g", 2, OneDomain("zone")).Pods("g", 1).Bind("g-0", "node-0"), fail},

		{"late member elsewhere", pair().Bind("g-0", "node-0").Bind("g-1", "node-1").Wait(time.Hour).Pods("g", 1).Bind("g-2", "node-2"), fail},
		{"late member in the rack", pair().Bind("g-0", "node-0").Bind("g-1", "node-1").Wait(time.Hour).Pods("g", 1).Bind("g-2", "node-1"), pass},
		{"replacement elsewhere", pair().Bind("g-0", "node-0").Bind("g-1", "node-1").Gone("g-0").Pods("g", 1).Bind("g-2", "node-2"), fail},
		{"everybody gone, begun anew elsewhere", pair().Bind("g-0", "node-0").Bind("g-1", "node-1").Gone("g-0", "g-1").
			Pods("g", 2).Bind("g-2", "node-2").Bind("g-3", "node-3"), pass},
		{"everybody finished, begun anew elsewhere", pair().Bind("g-0", "node-0").Bind("g-1", "node-1").
			Finish(corev1.PodSucceeded, "g-0", "g-1").Pods("g", 1).Bind("g-2", "node-2"), pass},
		{"one leaving holds nobody", pair().Bind("g-0", "node-0").Deleting("g-0").Bind("g-1", "node-2"), pass},

		{"the driver's member counts", pair().DriverBind("g-0", "node-0").Bind("g-1", "node-2"), fail},
		{"the driver may do as it likes", pair().DriverBind("g-0", "node-0").DriverBind("g-1", "node-2"), nothing},
		{"the label moved a moment before", pair().Bind("g-0", "node-0").ChangeNode("node-1", moved).Bind("g-1", "node-1"), pass},
		{"the label moved long before", pair().Bind("g-0", "node-0").ChangeNode("node-1", moved).Wait(time.Minute).Bind("g-1", "node-1"), fail},
		{"the first one's label moved", pair().Bind("g-0", "node-0").ChangeNode("node-0", moved).Wait(time.Minute).Bind("g-1", "node-2"), pass},
		{"the label went a moment before", pair().ChangeNode("node-0", stripped).Bind("g-0", "node-0").Bind("g-1", "node-1"), pass},

		{"before the group", racks().Pods("g", 1).Bind("g-0", "node-4").Gang("g", 1, OneDomain("rack")), nothing},
		{"a group of the name came again with another key", racks().Gang("g", 1).Pods("g", 2).Bind("g-0", "node-0").GangGone("g").
			Gang("g", 1, OneDomain("rack")).Bind("g-1", "node-2"), nothing},
		{"a gap in nodes", pair().BreakWatch("nodes").Bind("g-0", "node-0").Bind("g-1", "node-1"), doubt},
	})
}

func TestOneDomainOfTrees(t *testing.T) {
	tree := func(opts ...GangOption) *Builder {
		return racks().Composite("top", 2, OneDomain("rack")).Composite("mid", 1, Under("top")).
			Gang("x", 1, append(opts, Under("top"))...).Gang("y", 1, Under("mid")).Pods("x", 1).Pods("y", 1)
	}
	try(t, oneDomain, []told{
		{"all in one rack", tree().Bind("x-0", "node-0").Bind("y-0", "node-1"), pass},
		{"a grandchild elsewhere", tree().Bind("x-0", "node-0").Bind("y-0", "node-2"), fail},
		{"a child within its own", tree(OneDomain("kubernetes.io/hostname")).Bind("x-0", "node-0").Bind("y-0", "node-1"), pass},
		{"children without a constrained parent", racks().Composite("top", 2).Gang("x", 1, Under("top")).Gang("y", 1, Under("top")).
			Pods("x", 1).Pods("y", 1).Bind("x-0", "node-0").Bind("y-0", "node-2"), nothing},
	})
}
