package engine

// table keeps how many more copies of a shape fit on every node.
type table struct {
	shape  *shape
	cursor uint64  // sequence number up to which the change log was read
	cells  []int32 // copies by node
	class  []uint8
	sorted buckets
	// ordered is the version of the order of nodes that sorted follows.
	ordered uint64
	total   int64
	sums    []*domainSums
	used    uint64 // when last, for dropping
	// grown counts the times a cell grew outside a trial; told is its value when Woken last looked.
	grown, told uint64
	freed       uint64 // Engine.freed when last up to date
	lifted      bool   // read within the trial that runs
}

// domainSums are the copies in each domain of a key.
type domainSums struct {
	key     *topologyKey
	version uint64 // of the key's domains
	by      []int64
}

// tableOf is the table of a shape, up to date.
func (e *Engine) tableOf(s *shape) *table {
	e.clock++
	t := s.table
	if t != nil {
		e.refresh(t)
	} else {
		t = e.newTable(s)
		e.refresh(t)
		t.told = t.grown
		if s.untold || s.freed != e.freed {
			t.told-- // it may have grown while there was no table
		}
	}
	t.used = e.clock
	if e.trial && !t.lifted {
		t.lifted = true
		e.lifted = append(e.lifted, t)
	}
	return t
}

// newTable makes an empty table that refresh will fill; the one not used for longest makes room for it.
func (e *Engine) newTable(s *shape) *table {
	for (len(e.tables)+1)*len(e.nodes) > e.opts.TableCells && len(e.tables) >= 2 {
		oldest := e.tables[0]
		for _, t := range e.tables {
			if t.used < oldest.used {
				oldest = t
			}
		}
		e.dropTable(oldest)
	}
	t := &table{shape: s}
	t.cursor = e.log.base - 1 // cut off
	e.tables = append(e.tables, t)
	s.table, s.looked = t, 0
	return t
}

// dropTable forgets a table. Whether room came free that Woken was not told of is kept in the shape.
func (e *Engine) dropTable(t *table) {
	t.shape.table = nil
	t.shape.freed, t.shape.untold = t.freed, t.grown != t.told
	for i, x := range e.tables {
		if x == t {
			e.tables[i] = e.tables[len(e.tables)-1]
			e.tables = e.tables[:len(e.tables)-1]
			return
		}
	}
}

// refresh reads the change log.
func (e *Engine) refresh(t *table) {
	l := &e.log
	behind := t.cursor - l.base // wraps around when cut off
	t.grow(len(e.nodes))
	e.sortNodes()
	e.resort(t)
	if behind > uint64(len(l.nodes)) || len(l.nodes)-int(behind) > len(e.nodes) {
		for _, n := range e.nodes {
			e.update(t, n)
		}
	} else {
		for _, id := range l.nodes[behind:] {
			e.update(t, e.nodes[id])
		}
	}
	t.cursor, t.freed = l.end(), e.freed
	l.read = max(l.read, t.cursor)
	for _, s := range t.sums {
		t.resum(s)
	}
}

func (t *table) grow(nodes int) {
	if more := nodes - len(t.cells); more > 0 {
		t.cells = append(t.cells, make([]int32, more)...)
		t.class = append(t.class, make([]uint8, more)...)
	}
}

// update looks at one node again.
func (e *Engine) update(t *table, n *node) {
	c := e.copies(t.shape, n)
	old := t.cells[n.id]
	class := t.class[n.id]
	if c > 0 {
		class = t.classOf(n)
	}
	if c == old && class == t.class[n.id] {
		return
	}
	if old > 0 {
		t.sorted.remove(slot(t.class[n.id], old), e.order.place[n.id])
	}
	if c > 0 {
		t.sorted.add(slot(class, c), e.order.place[n.id])
	}
	t.cells[n.id], t.class[n.id] = c, class
	diff := int64(c - old)
	t.total += diff
	for _, s := range t.sums {
		if d := s.key.of[n.id]; d != noDomain && s.version == s.key.version {
			for int(d) >= len(s.by) {
				s.by = append(s.by, 0)
			}
			s.by[d] += diff
		}
	}
	if diff > 0 && !e.trial {
		t.grown++
	}
}

func (t *table) classOf(n *node) uint8 {
	class := uint8(0)
	if n.extra&^t.shape.extra != 0 {
		class = wasteful
	}
	if t.shape.dislikes(n) > 0 {
		class |= averse
	}
	return class
}

// sumsOf are the copies by domain of a key.
func (t *table) sumsOf(k *topologyKey) []int64 {
	for _, s := range t.sums {
		if s.key == k {
			return s.by
		}
	}
	s := &domainSums{key: k, version: k.version - 1}
	t.sums = append(t.sums, s)
	t.resum(s)
	return s.by
}

// resum adds up anew when a node known before has changed its domain, and makes room for new domains.
func (t *table) resum(s *domainSums) {
	for len(s.by) < len(s.key.values) {
		s.by = append(s.by, 0)
	}
	if s.version == s.key.version {
		return
	}
	s.version = s.key.version
	clear(s.by)
	for id, c := range t.cells {
		if d := s.key.of[id]; d != noDomain {
			s.by[d] += int64(c)
		}
	}
}

// room is how many copies fit in a scope.
func (t *table) room(sc scope) int64 {
	if sc.all {
		return t.total
	}
	if len(sc.fixed) == 1 && !sc.narrowed {
		return t.sumsOf(sc.key)[sc.domain]
	}
	sum := int64(0)
	for _, id := range sc.nodes {
		sum += int64(t.cells[id])
	}
	return sum
}

// roomBy is how many copies fit in each domain of a key, inside a scope.
func (t *table) roomBy(k *topologyKey, sc scope) []int64 {
	if sc.all {
		return t.sumsOf(k)
	}
	out := make([]int64, len(k.values))
	for _, id := range sc.nodes {
		if d := k.of[id]; d != noDomain {
			out[d] += int64(t.cells[id])
		}
	}
	return out
}

// fill places up to want copies in a scope. The answer is only valid until the next fill.
func (e *Engine) fill(t *table, sc scope, want int) []assign {
	if sc.all {
		return t.sorted.fill(t.cells, e.order.ids, want, &e.fills)
	}
	b := &e.fills.local
	for _, id := range sc.nodes {
		if c := t.cells[id]; c > 0 {
			b.add(slot(t.class[id], c), e.order.place[id])
		}
	}
	out := b.fill(t.cells, e.order.ids, want, &e.fills)
	for _, id := range sc.nodes {
		if c := t.cells[id]; c > 0 {
			b.remove(slot(t.class[id], c), e.order.place[id])
		}
	}
	return out
}
