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
	pace  pace
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
	if !w.pace.next(s) || w.pods == nil {
		return w.compare(s)
	}
	d := s.Delta
	move := Still
	for _, uid := range d.Pods {
		move = max(move, w.sawPod(uid, s.Pods[uid]))
	}
	for _, name := range d.Nodes {
		move = max(move, w.sawNode(name, s.Nodes[name]))
	}
	for _, key := range d.Gangs {
		move = max(move, w.sawGang(key, s.Gangs[key]))
	}
	return move
}

// compare looks at everything.
func (w *Watcher) compare(s *history.State) Move {
	move := Still
	if w.pods == nil {
		w.pods, w.nodes, w.gangs = map[string]footprint{}, map[string]*corev1.Node{}, map[string]string{}
		move = Moved
	}
	for uid, p := range s.Pods {
		move = max(move, w.sawPod(uid, p))
	}
	for uid := range w.pods {
		if s.Pods[uid] == nil {
			move = max(move, w.sawPod(uid, nil))
		}
	}
	for name, n := range s.Nodes {
		move = max(move, w.sawNode(name, n))
	}
	for name := range w.nodes {
		if s.Nodes[name] == nil {
			move = max(move, w.sawNode(name, nil))
		}
	}
	for key, g := range s.Gangs {
		move = max(move, w.sawGang(key, g))
	}
	for key := range w.gangs {
		if s.Gangs[key] == nil {
			move = max(move, w.sawGang(key, nil))
		}
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

// sawGang remembers the topology key of a gang (nil: it does not exist any more) and says what that changes.
func (w *Watcher) sawGang(key string, g *history.GangState) Move {
	now := ""
	if g != nil {
		now = g.TopologyKey
	}
	if w.gangs[key] == now {
		return Still
	}
	if now == "" {
		delete(w.gangs, key)
	} else {
		w.gangs[key] = now
	}
	return Moved
}

// sawNode remembers a node (nil: it does not exist any more) and says whether it came, went or changed its place.
func (w *Watcher) sawNode(name string, n *corev1.Node) Move {
	old := w.nodes[name]
	if old == n {
		return Still
	}
	if n == nil {
		delete(w.nodes, name)
		return Moved
	}
	w.nodes[name] = n
	if old != nil && SamePlace(old, n) {
		return Still
	}
	return Moved
}
