package engine

import (
	"cmp"
	"slices"
)

// nodeOrder puts the nodes in the order of their names, whatever the order in which they were heard of: a process that
// starts anew may hear of pods before the nodes they stand on, and has to find the same places as the one before.
type nodeOrder struct {
	place   []int32  // by id
	names   []string // by id: those that the order follows; ids free for use keep theirs
	ids     []int32  // by place
	fresh   []int32  // ids that were given a name since the order was made
	version uint64   // counts the times that places changed
}

// sortNodes gives nodes that are new their places. Others move up to make room; no trial runs while that happens.
func (e *Engine) sortNodes() {
	o := &e.order
	if len(o.fresh) == 0 {
		return
	}
	for len(o.place) < len(e.nodes) {
		o.place = append(o.place, -1)
		o.names = append(o.names, "")
	}
	byName := func(a, b int32) int {
		return cmp.Or(cmp.Compare(o.names[a], o.names[b]), cmp.Compare(a, b))
	}
	slices.Sort(o.fresh)
	fresh := slices.DeleteFunc(slices.Compact(o.fresh), func(id int32) bool {
		return o.place[id] >= 0 && o.names[id] == e.nodes[id].name
	})
	again := false // an id that was used before has another name now
	for _, id := range fresh {
		again = again || o.place[id] >= 0
		o.names[id] = e.nodes[id].name
	}
	if again {
		for _, id := range fresh {
			o.place[id] = -1
		}
		o.ids = slices.DeleteFunc(o.ids, func(id int32) bool { return o.place[id] < 0 })
	}
	slices.SortFunc(fresh, byName)
	old := len(o.ids)
	o.ids = append(o.ids, fresh...)
	i, j := old-1, len(fresh)-1
	for at := len(o.ids) - 1; j >= 0; at-- {
		if i >= 0 && byName(o.ids[i], fresh[j]) > 0 {
			o.ids[at] = o.ids[i]
			i--
		} else {
			o.ids[at] = fresh[j]
			j--
		}
	}
	from := i + 1 // nothing before it moved
	if again {
		from = 0
	}
	for at := from; at < len(o.ids); at++ {
		o.place[o.ids[at]] = int32(at)
	}
	if again || from < old {
		o.version++
	}
	o.fresh = o.fresh[:0]
}

// resort fills the buckets of a table anew when nodes have changed their places.
func (e *Engine) resort(t *table) {
	if t.ordered == e.order.version {
		return
	}
	t.ordered = e.order.version
	t.sorted.clear()
	for id, c := range t.cells {
		if c > 0 {
			t.sorted.add(slot(t.class[id], c), e.order.place[id])
		}
	}
}

func (b *buckets) clear() {
	for i := range b.sets {
		if s := &b.sets[i]; s.size > 0 {
			clear(s.words)
			s.size = 0
		}
	}
	b.full = [classes][2]uint64{}
}
