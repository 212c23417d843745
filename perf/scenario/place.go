package scenario

import "fmt"

// Placer says on which node the driver puts pods that are created bound (Group.Bound). It goes by sums alone: a pod's
// node is one that still has room for what the pod asks.
type Placer struct {
	free []amounts
	next int
}

// NewPlacer for an empty cluster of the scenario's nodes.
func (s *Sized) NewPlacer() *Placer {
	p := &Placer{free: make([]amounts, s.Nodes)}
	for i := range p.free {
		p.free[i] = s.node()
	}
	return p
}

// Place is the index of the node for the next pod of a shape: "spread" goes over the nodes in turn, "pack" stays on one
// until it is full. The error wraps ErrSize: no node has room.
func (p *Placer) Place(bound string, shape Pods) (int, error) {
	asks := shape.asks()
	for tried := range p.free {
		i := (p.next + tried) % len(p.free)
		if _, over := asks.beyond(p.free[i], 1); over {
			continue
		}
		p.free[i].add(asks, -1)
		p.next = i
		if bound == "spread" {
			p.next = (i + 1) % len(p.free)
		}
		return i, nil
	}
	return 0, fmt.Errorf("%w: no node has room for one more pod of %+v", ErrSize, shape)
}
