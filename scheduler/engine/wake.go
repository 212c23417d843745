package engine

import (
	"cmp"
	"slices"
)

// waiters knows who waits for what, so that an event wakes those it may help and no others.
type waiters struct {
	woken map[Root]bool
	// shapes are those with blocked roots.
	shapes map[*shape]bool
	// any are the roots whose place depends on more than room for a shape: a change of anything may help them.
	any     map[Root]bool
	moved   bool // a node changed its domain: some domain has more room although no node has
	changed bool // a node, pod or claim changed in a way that may help those in any
	// gathered: there may be more room on nodes that are kept, for roots of lowest priority least.
	gathered bool
	least    int32
}

func (w *waiters) init() {
	w.woken, w.shapes, w.any = map[Root]bool{}, map[*shape]bool{}, map[Root]bool{}
}

func (w *waiters) wake(r Root) { w.woken[r] = true }

// gathering notes that there may be more room on a node that is kept for a root of this priority.
func (w *waiters) gathering(priority int32) {
	if !w.gathered || priority < w.least {
		w.gathered, w.least = true, priority
	}
}

// block records that a root waits until more pods of a shape fit, and so many in all.
func (e *Engine) block(r Root, s *shape, need int) {
	if s.blocked == nil {
		s.blocked = map[Root]int{}
	}
	if len(s.blocked) == 0 { // what there was has just been looked at
		if t := s.table; t != nil {
			t.told = t.grown
		} else if !e.trial {
			s.freed, s.untold = e.freed, false
		}
	}
	s.blocked[r] = need
	e.waiting.shapes[s] = true
}

// blockAny records that a root waits for whatever change.
func (e *Engine) blockAny(r Root) { e.waiting.any[r] = true }

// Woken returns the roots that something which happened since the last call may have helped, or has made pending, and
// forgets them. A root that waits for room is returned only if the number of copies of its shape that fit has grown on
// some node and is enough in all. Each root returned has something pending; the order is by kind and name.
func (e *Engine) Woken() []Root {
	w := &e.waiting
	if w.gathered { // no table shows that room
		for s := range w.shapes {
			for r := range s.blocked {
				if e.priorityOf(r) > w.least {
					w.woken[r] = true
					delete(s.blocked, r)
				}
			}
		}
		w.gathered = false
	}
	for s := range w.shapes {
		if s.refs <= 0 {
			delete(w.shapes, s)
			continue
		}
		if e.dry(s) {
			continue
		}
		t := e.tableOf(s)
		if t.grown == t.told && !w.moved {
			continue
		}
		t.told = t.grown
		for r, need := range s.blocked {
			if t.total >= int64(need) {
				w.woken[r] = true
				delete(s.blocked, r)
			}
		}
		if len(s.blocked) == 0 {
			delete(w.shapes, s)
		}
	}
	w.moved = false
	if w.changed {
		for r := range w.any {
			w.woken[r] = true
		}
		clear(w.any)
		w.changed = false
	}
	var out []Root
	for r := range w.woken {
		if info, ok := e.Info(r); ok && info.Pending+info.Gated > 0 {
			out = append(out, r)
		}
	}
	clear(w.woken)
	slices.SortFunc(out, func(a, b Root) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// Freed counts the times room may have come free on some node, or a victim was spared: who found no place, even by
// preemption, need not be asked about again while it stays the same.
func (e *Engine) Freed() uint64 { return e.freed }
