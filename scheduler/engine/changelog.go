package engine

// changeLog is the list of nodes that changed, in order. Entry i has the sequence number base+i. Tables read it from
// where they stopped; what nobody is expected to read any more is cut off, and a table that stopped before the cut is
// rebuilt.
type changeLog struct {
	base  uint64
	nodes []int32
	// read is the highest sequence number that some table has read up to. A node that was logged at or after it is
	// unread by every table and need not be logged again.
	read uint64
}

func (l *changeLog) end() uint64 { return l.base + uint64(len(l.nodes)) }

// touch records that how many copies fit on the node may have changed.
func (e *Engine) touch(n *node) {
	l := &e.log
	if n.logged > l.read {
		return
	}
	if len(l.nodes) > 2*len(e.nodes)+1024 {
		half := len(l.nodes) / 2
		l.base += uint64(half)
		l.nodes = l.nodes[:copy(l.nodes, l.nodes[half:])]
	}
	l.nodes = append(l.nodes, n.id)
	n.logged = l.end()
}
