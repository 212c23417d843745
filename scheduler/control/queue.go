package control

import (
	"cmp"
	"container/heap"

	"muster/scheduler/engine"
)

// queue holds roots by priority, then age, then name, each once.
type queue struct {
	heap entries
	at   map[engine.Root]*entry
	pods int // pending pods of all roots in it
}

type entry struct {
	root     engine.Root
	priority int32
	created  int64
	pods     int
	index    int
}

func newQueue() *queue { return &queue{at: map[engine.Root]*entry{}} }

// push adds a root, or moves it where it now belongs.
func (q *queue) push(r engine.Root, info engine.RootInfo) {
	e := q.at[r]
	if e == nil {
		e = &entry{root: r}
		q.at[r] = e
	}
	q.pods += info.Pending - e.pods
	known := len(q.heap) > e.index && q.heap[e.index] == e
	e.priority, e.created, e.pods = info.Priority, info.Created, info.Pending
	if known {
		heap.Fix(&q.heap, e.index)
	} else {
		heap.Push(&q.heap, e)
	}
}

// pop takes the first root out; ok is false when there is none.
func (q *queue) pop() (r engine.Root, ok bool) {
	if len(q.heap) == 0 {
		return engine.Root{}, false
	}
	e := heap.Pop(&q.heap).(*entry)
	q.pods -= e.pods
	delete(q.at, e.root)
	return e.root, true
}

// before is the order of roots: higher priority first, then the older, then by name so that it is the same every time.
func before(a, b *entry) bool {
	return cmp.Or(
		cmp.Compare(b.priority, a.priority),
		cmp.Compare(a.created, b.created),
		cmp.Compare(a.root.Namespace, b.root.Namespace),
		cmp.Compare(a.root.Name, b.root.Name),
		cmp.Compare(a.root.Kind, b.root.Kind),
	) < 0
}

// entries implements heap.Interface.
type entries []*entry

func (h entries) Len() int           { return len(h) }
func (h entries) Less(i, j int) bool { return before(h[i], h[j]) }
func (h entries) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

func (h *entries) Push(x any) {
	e := x.(*entry)
	e.index = len(*h)
	*h = append(*h, e)
}

func (h *entries) Pop() any {
	old := *h
	e := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	return e
}
