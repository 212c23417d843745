package premise

import (
	"maps"

	corev1 "k8s.io/api/core/v1"

	"muster/suites/history"
	"muster/suites/oracle"
)

// Move says how a state differs from the one seen before, as far as questions about room can see.
type Move int

const (
	// Still: in no way. Most events change only a status.
	Still Move = iota
	// Filled: pods were placed and nothing else happened. There is less room than before, except for pods whose rules ask
	// for the company of others (see Matters).
	Filled
	// Moved: room may have come anywhere.
	Moved
)

// Matters reports whether a question about these pods, which found no room before the move, may find some now.
func (m Move) Matters(pods []*history.Pod) bool {
	if m != Filled {
		return m == Moved
	}
	for _, p := range pods {
		if oracle.Ties(p.First) {
			return true
		}
	}
	return false
}

// Watcher tells states that may answer a question about room differently from those that cannot. The zero value is ready.
type Watcher struct {
	nodes map[string]*corev1.Node
	pods  map[string]footprint
	gangs map[string]string
}

// footprint is what of a placed pod a question about room can see.
type footprint struct {
	node       string
	deleting   bool
	generation int64
	labels     map[string]string
}

func (f footprint) equal(o footprint) bool {
	return f.node == o.node && f.deleting == o.deleting && f.generation == o.generation && maps.Equal(f.labels, o.labels)
}

// Changed reports whether anything that a question about room can see differs from the state seen before.
func (w *Watcher) Changed(s *history.State) bool { return w.See(s) != Still }

// See compares nodes, placed pods and gangs' topology with the state seen before, and remembers s. The first state has
// Moved.
func (w *Watcher) See(s *history.State) Move {
	pods := make(map[string]footprint, len(s.Pods))
	move := Still
	for uid, p := range s.Pods {
		if p.NodeName == "" {
			continue
		}
		f := footprint{p.NodeName, p.Deleting, p.Now.Generation, p.Now.Labels}
		pods[uid] = f
		if old, ok := w.pods[uid]; !ok {
			move = max(move, Filled)
		} else if !old.equal(f) {
			move = Moved
		}
	}
	for uid := range w.pods {
		if _, ok := pods[uid]; !ok {
			move = Moved
		}
	}
	gangs := make(map[string]string)
	for key, g := range s.Gangs {
		if g.TopologyKey != "" {
			gangs[key] = g.TopologyKey
		}
	}
	if w.sawNodes(s.Nodes) || !maps.Equal(w.gangs, gangs) {
		move = Moved
	}
	w.pods, w.gangs = pods, gangs
	return move
}

// sawNodes remembers the nodes and reports whether one came, went or changed its place.
func (w *Watcher) sawNodes(nodes map[string]*corev1.Node) bool {
	if w.nodes == nil {
		w.nodes = maps.Clone(nodes)
		return true
	}
	moved := len(w.nodes) != len(nodes)
	for name, n := range nodes {
		old, ok := w.nodes[name]
		if old == n {
			continue
		}
		moved = moved || !ok || !SamePlace(old, n)
		w.nodes[name] = n
	}
	if len(w.nodes) != len(nodes) { // some went
		w.nodes, moved = maps.Clone(nodes), true
	}
	return moved
}
