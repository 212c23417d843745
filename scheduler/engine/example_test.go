package engine_test

import (
	"fmt"

	"muster/scheduler/engine"
)

// The worked example of docs/scheduler.md: two racks of two nodes; a gang of ten workers of one GPU that must share a rack.
func Example() {
	e := engine.New(engine.Options{})
	for _, n := range []struct {
		name string
		rack string
		used int64
	}{{"a1", "a", 0}, {"a2", "a", 5}, {"b1", "b", 2}, {"b2", "b", 4}} {
		e.UpsertNode(node(n.name, 64, 8, rack, n.rack))
		if n.used > 0 {
			e.UpsertPod(pod("old-"+n.name, "", 1, n.used, bind(n.name)))
		}
	}
	e.UpsertGroup(gang("train", 8, inOne(rack)))
	members(e, "train", 10, 1, 1)

	for _, r := range e.Woken() {
		d := e.Solve(r)
		on := map[string]int{}
		for _, pl := range d.Placements {
			on[pl.Node]++
		}
		fmt.Println(r, d.Outcome, on)
		e.Assume(d.Placements)
	}

	e.UpsertGroup(gang("next", 12, inOne(rack)))
	members(e, "next", 12, 1, 1)
	for _, r := range e.Woken() {
		d := e.Solve(r)
		fmt.Println(r, d.Outcome, d.Reason)
		fmt.Println(e.Explain(r)[0])
	}
	e.DeletePod(engine.Key{Namespace: ns, Name: "old-a2"})
	for _, r := range e.Woken() {
		fmt.Println(r, e.Solve(r).Outcome)
	}
	// Output:
	// PodGroup team/train Placed map[b1:6 b2:4]
	// PodGroup team/next Unschedulable no domain of rack takes the 12 pods that must be placed; a takes 11 at most
	// pod team/next-0 and 11 like it: room for 11 on 4 nodes; 2 nodes have too little nvidia.com/gpu (1 asked, at most 0 free)
	// PodGroup team/next Placed
}
