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
	// walk and step are where the state seen last stands in its replay.
	walk *history.Delta
	step int
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
// Moved. Who sees every state of one replay pays for what changed, and else for the whole cluster each time.
func (w *Watcher) See(s *history.State) Move {
	d := s.Delta
	next := d != nil && w.pods != nil && d.Walk == w.walk && d.Step == w.step+1
	if d != nil {
		w.walk, w.step = d.Walk, d.Step
	} else {
		w.walk = nil
	}
	if !next {
		return w.compare(s)
	}
	move := Still
	for _, uid := range d.Pods {
		move = max(move, w.sawPod(uid, s.Pods[uid]))
	}
	if d.Nodes && w.sawNodes(s.Nodes) || d.Gangs && w.sawGangs(s.Gangs) {
		move = Moved
	}
	return move
}

// compare looks at everything.
func (w *Watcher) compare(s *history.State) Move {
	move := Still
	if w.pods == nil {
		w.pods = make(map[string]footprint, len(s.Pods))
	}
	for uid, p := range s.Pods {
		move = max(move, w.sawPod(uid, p))
	}
	for uid := range w.pods {
		if s.Pods[uid] == nil {
			delete(w.pods, uid)
			move = Moved
		}
	}
	nodes, gangs := w.sawNodes(s.Nodes), w.sawGangs(s.Gangs)
	if nodes || gangs {
		move = Moved
	}
	return move
}

// sawPod remembers a pod (nil: it does not exist any more) and says what that changes.
func (w *Watcher) sawPod(uid string, p *history.PodState) Move {
	old, stood := w.pods[uid]
	if p == nil || p.NodeName == "" {
		delete(w.pods, uid)
		if stood {
			return Moved
		}
		return Still
	}
	f := footprint{p.NodeName, p.Deleting, p.Now.Generation, p.Now.Labels}
	w.pods[uid] = f
	switch {
	case !stood:
		return Filled
	case !old.equal(f):
		return Moved
	}
	return Still
}

// sawGangs remembers the gangs' topology keys and reports whether they are others.
func (w *Watcher) sawGangs(all map[string]*history.GangState) bool {
	gangs := make(map[string]string)
	for key, g := range all {
		if g.TopologyKey != "" {
			gangs[key] = g.TopologyKey
		}
	}
	same := maps.Equal(w.gangs, gangs)
	w.gangs = gangs
	return !same
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
