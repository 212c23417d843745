package engine

import (
	"encoding/binary"
	"slices"
)

// cohorts keeps nodes together that are alike: the same amounts free, the same places, taints, ports, and the same values
// of the labels that selectors read. A shape that nobody asked about before is looked up on one node of each cohort and not
// on every node, which is exact and enough for a refusal: how many copies fit in all, and in each domain. Only a shape for
// which there is room is given a table.
//
// Cohorts read the change log as tables do, with every question, so that the next new shape finds them nearly up to date.
// They are not used within trials.
type cohorts struct {
	built  bool
	tried  bool    // to no avail: there would be too many. Tried again when half of the nodes have changed
	cursor uint64  // sequence number up to which the change log was read
	of     []int32 // cohort by node, noCohort
	at     []int32 // place among the members of the cohort, by node
	list   []cohort
	idle   []int32 // numbers of cohorts without members
	index  map[string]int32
	labels []string        // keys whose values are told apart
	fine   map[string]bool // keys with too many values for that
	counts []*headcount
	last   lookup
}

type cohort struct {
	id      string
	members []int32
}

// headcount is how many nodes of each cohort lie in each domain of a key.
type headcount struct {
	key     *topologyKey
	version uint64    // of the key's domains
	by      [][]int32 // by cohort and domain; may be shorter than either
}

const (
	noCohort = -1
	// fewCohorts are always worth while. Beyond them there must be eight nodes to a cohort, and no more than can be looked
	// at in well under a millisecond.
	fewCohorts  = 64
	manyCohorts = 8192
	// Labels that tell nodes apart one by one are of no use, nor are many at a time.
	manyLabels = 8
	manyValues = 64
)

// follow brings the cohorts up to date; false where nodes are too different for them.
func (e *Engine) follow() bool {
	c, l := &e.cohorts, &e.log
	behind := c.cursor - l.base // wraps around when cut off
	far := behind > uint64(len(l.nodes)) || len(l.nodes)-int(behind) > len(e.nodes)
	switch {
	case c.tried && !far && 2*(len(l.nodes)-int(behind)) < len(e.nodes):
		return false
	case !c.built || far:
		e.gather()
	default:
		for _, id := range l.nodes[behind:] {
			c.seat(e, e.nodes[id])
		}
	}
	most := mostCohorts(len(e.nodes))
	if len(c.index) > most && len(c.labels) > 0 { // perhaps without
		c.tooFine(c.labels...)
		c.labels = nil
		e.gather()
	}
	if len(c.index) > most {
		*c = cohorts{tried: true, labels: c.labels, fine: c.fine}
	}
	c.cursor = l.end()
	l.read = max(l.read, c.cursor)
	c.counts = slices.DeleteFunc(c.counts, func(h *headcount) bool { return !e.countable(h.key) })
	for _, h := range c.counts {
		c.recount(h)
	}
	return c.built
}

func mostCohorts(nodes int) int { return max(fewCohorts, min(nodes/8, manyCohorts)) }

// countable: counting nodes by cohort and domain costs less than a look at every node.
func (e *Engine) countable(k *topologyKey) bool {
	return len(e.cohorts.list)*len(k.values) <= 8*len(e.nodes)+4096
}

// gather makes the cohorts anew.
func (e *Engine) gather() {
	c := &e.cohorts
	*c = cohorts{built: true, index: map[string]int32{}, labels: c.labels, fine: c.fine}
	most := mostCohorts(len(e.nodes))
	c.grow(len(e.nodes))
	for _, n := range e.nodes {
		if c.seat(e, n); len(c.index) > most {
			return
		}
	}
}

func (c *cohorts) grow(nodes int) {
	for len(c.of) < nodes {
		c.of, c.at = append(c.of, noCohort), append(c.at, 0)
	}
}

// seat puts a node where it belongs now.
func (c *cohorts) seat(e *Engine, n *node) {
	c.grow(len(e.nodes))
	old := c.of[n.id]
	if !n.exists {
		c.leave(n.id)
		return
	}
	b := c.describe(e.buf[:0], n)
	e.buf = b
	if old != noCohort && c.list[old].id == string(b) {
		return
	}
	c.leave(n.id)
	now, ok := c.index[string(b)]
	if !ok {
		now = c.fresh(string(b))
	}
	c.of[n.id], c.at[n.id] = now, int32(len(c.list[now].members))
	c.list[now].members = append(c.list[now].members, n.id)
	c.tally(n.id, now, 1)
}

func (c *cohorts) leave(id int32) {
	old := c.of[id]
	if old == noCohort {
		return
	}
	c.last.of = nil
	m := c.list[old].members
	last := m[len(m)-1]
	m[c.at[id]], c.at[last] = last, c.at[id]
	c.list[old].members = m[:len(m)-1]
	c.of[id] = noCohort
	c.tally(id, old, -1)
	if len(m) == 1 {
		delete(c.index, c.list[old].id)
		c.idle = append(c.idle, old)
	}
}

// fresh is the number of a cohort that has no members yet.
func (c *cohorts) fresh(id string) int32 {
	i := int32(len(c.list))
	if n := len(c.idle); n > 0 {
		i, c.idle = c.idle[n-1], c.idle[:n-1]
		c.list[i].id = id
	} else {
		c.list = append(c.list, cohort{id: id})
	}
	c.index[id] = i
	return i
}

// tally counts a node in or out, in the domains that are counted.
func (c *cohorts) tally(id, cohort, by int32) {
	c.last.of = nil
	for _, h := range c.counts {
		if d := h.key.of[id]; d != noDomain && h.version == h.key.version {
			h.add(cohort, d, by)
		}
	}
}

func (h *headcount) add(cohort, domain, by int32) {
	for int(cohort) >= len(h.by) {
		h.by = append(h.by, nil)
	}
	for int(domain) >= len(h.by[cohort]) {
		h.by[cohort] = append(h.by[cohort], 0)
	}
	h.by[cohort][domain] += by
}

// recount counts anew when a node known before has changed its domain.
func (c *cohorts) recount(h *headcount) {
	if h.version == h.key.version {
		return
	}
	h.version = h.key.version
	for _, by := range h.by {
		clear(by)
	}
	for id, i := range c.of {
		if d := h.key.of[id]; i != noCohort && d != noDomain {
			h.add(i, d, 1)
		}
	}
}

// describe is equal for nodes that take the same pods, as far as shapes that may be looked up (alike) can tell.
func (c *cohorts) describe(b []byte, n *node) []byte {
	flags := byte(0)
	if n.cordon {
		flags |= 1
	}
	if n.kept != nil {
		flags |= 2 // for whom does not matter: the one it is kept for is solved in a trial
	}
	b = append(b, flags)
	b = binary.AppendVarint(b, int64(n.slots-n.count))
	for i := range max(len(n.alloc), len(n.used)) {
		if free := at(n.alloc, int32(i)) - at(n.used, int32(i)); free != 0 {
			b = binary.AppendUvarint(b, uint64(i)+1)
			b = binary.AppendVarint(b, free)
		}
	}
	b = binary.AppendUvarint(append(b, 0), uint64(len(n.taints)))
	for _, t := range n.taints {
		b = appendWord(appendWord(appendWord(b, t.Key), t.Value), string(t.Effect))
	}
	b = binary.AppendUvarint(b, uint64(len(n.features)))
	for _, f := range n.features {
		b = appendWord(b, f)
	}
	b = binary.AppendUvarint(b, uint64(len(n.ports)))
	for _, p := range n.ports {
		b = binary.AppendVarint(appendWord(appendWord(b, p.ip), string(p.protocol)), int64(p.number))
	}
	for _, k := range c.labels {
		if v, ok := n.labels[k]; ok {
			b = appendWord(append(b, 1), v)
		} else {
			b = append(b, 0)
		}
	}
	return b
}

// appendWord adds a string of any content, so that what follows cannot be taken for a part of it.
func appendWord(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// forget drops the counts of keys that nobody asks about any more.
func (c *cohorts) forget(used map[*topologyKey]bool) {
	c.counts = slices.DeleteFunc(c.counts, func(h *headcount) bool { return !used[h.key] })
}
