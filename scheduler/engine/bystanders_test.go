package engine

import "testing"

// A scheduler that evicts too many still evicts nobody whom it would have spared for another reason: for a budget, for being
// more important than those that have to go, or for being in another namespace.
func TestBystandersAreSparedForOtherReasons(t *testing.T) {
	in := func(namespace string, priority int32, charged ...*budget) *unit {
		return &unit{pods: []*pod{{Key: Key{Namespace: namespace}}}, priority: priority, charged: charged}
	}
	elsewhere, needed := in("other", 5), in("mine", 5)
	equal, lower, higher, kept := in("mine", 5), in("mine", 1), in("mine", 6), in("mine", 1, &budget{})
	got := withBystanders([]*unit{elsewhere, needed}, []*unit{needed, equal, lower, higher, kept, in("other", 1), elsewhere}, "mine")
	want := []*unit{elsewhere, needed, equal, lower}
	if len(got) != len(want) {
		t.Fatalf("%d units go, want %d", len(got), len(want))
	}
	for i, u := range want {
		if got[i] != u {
			t.Errorf("unit %d is not the one that was to go", i)
		}
	}
}
