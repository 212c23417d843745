package engine

import (
	"fmt"
	"slices"
)

// DropTables forgets all tables, as happens when there are too many.
func (e *Engine) DropTables() {
	for len(e.tables) > 0 {
		e.dropTable(e.tables[0])
	}
}

// Tables counts those that exist.
func (e *Engine) Tables() int { return len(e.tables) }

// Cohorts counts the sets of nodes that are alike; none where nodes are too different.
func (e *Engine) Cohorts() int { return len(e.cohorts.index) }

// ByTables calls f in such a way that cohorts are not used.
func (e *Engine) ByTables(f func()) {
	e.begin()
	e.hunting = true
	f()
	e.hunting = false
	e.end()
}

// checkCohorts compares the cohorts with the nodes.
func (e *Engine) checkCohorts() error {
	c := &e.cohorts
	if !c.built || !e.follow() {
		return nil
	}
	members, live := 0, 0
	for i, co := range c.list {
		members += len(co.members)
		if len(co.members) > 0 {
			live++
		}
		for j, id := range co.members {
			if n := e.nodes[id]; !n.exists || string(c.describe(nil, n)) != co.id || c.of[id] != int32(i) || c.at[id] != int32(j) {
				return fmt.Errorf("cohort %d: node %s does not belong there", i, n.name)
			}
		}
	}
	exist := 0
	for _, n := range e.nodes {
		if n.exists {
			exist++
		}
	}
	if members != exist || live != len(c.index) || len(c.idle)+live != len(c.list) {
		return fmt.Errorf("%d nodes in %d cohorts, %d known by description, %d to be used again of %d; %d nodes exist",
			members, live, len(c.index), len(c.idle), len(c.list), exist)
	}
	for _, h := range c.counts {
		want := headcount{key: h.key}
		for id, i := range c.of {
			if d := h.key.of[id]; i != noCohort && d != noDomain {
				want.add(i, d, 1)
			}
		}
		for i := range c.list {
			if !slices.Equal(trimmed(want.by, i), trimmed(h.by, i)) {
				return fmt.Errorf("cohort %d by %s: %v, want %v", i, h.key.name, trimmed(h.by, i), trimmed(want.by, i))
			}
		}
	}
	return nil
}

// trimmed is a count without the zeros at its end.
func trimmed(by [][]int32, i int) []int32 {
	if i >= len(by) {
		return nil
	}
	b := by[i]
	for len(b) > 0 && b[len(b)-1] == 0 {
		b = b[:len(b)-1]
	}
	return b
}
