package control

import (
	"maps"
	"slices"
	"time"
)

// A node to which a pod could not be bound is avoided for distrustFor, or until a bind to it succeeds: it is used only
// where fewer pods would be placed without it. Where more than distrustMost nodes would have to be avoided it is not the
// nodes that are at fault, and none is.
const (
	distrustFor  = time.Minute
	distrustMost = 16
)

// distrust keeps until when nodes are avoided.
type distrust map[string]time.Time

func (d distrust) failed(node string, now time.Time) {
	d.avoided(now)
	if d[node] = now.Add(distrustFor); len(d) > distrustMost {
		clear(d)
	}
}

func (d distrust) bound(node string) { delete(d, node) }

// avoided are the nodes to avoid now, by name.
func (d distrust) avoided(now time.Time) []string {
	if len(d) == 0 {
		return nil
	}
	maps.DeleteFunc(d, func(_ string, until time.Time) bool { return !until.After(now) })
	return slices.Sorted(maps.Keys(d))
}
