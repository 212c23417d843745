package premise

import (
	corev1 "k8s.io/api/core/v1"

	"muster/suites/history"
	"muster/suites/oracle"
)

// Rooms answers questions about room in the states of one replay, at a price in proportion to what changed since it was
// asked last instead of to the cluster. It keeps, for every kind of pod that was asked about, how many copies each node
// takes. Where that is not the whole truth (pods with rules about other pods, asked about or placed) it asks the oracle
// about the whole state. The zero value is ready.
//
// Show it every state of the replay (See), and ask about the one shown last.
type Rooms struct {
	standing Standing
	state    *history.State
	pace     pace
	places   map[string]*place
	order    []*place // those of places, and some that are gone
	// log is which places changed, in order: each kind knows how much of it it has taken into account.
	log   []*place
	kinds map[string]*Kind
	// like are pods whose kinds are known, by what pods share that ask for the same.
	like map[*corev1.Container]sample
	// bars are the placed pods that may keep others away, by UID.
	bars map[string]bool
}

// place is a node of the state.
type place struct {
	name  string
	node  *corev1.Node // nil: it is gone
	stand *oracle.Stand
}

// Kind is pods that can be counted node by node.
type Kind struct {
	*oracle.Kind
	rooms *Rooms
	fits  map[*place]int
	sum   int
	// read is how much of the log is in fits; failed: the kind cannot be counted after all.
	read   int
	failed bool
}

// See takes the next state.
func (r *Rooms) See(s *history.State) {
	if r.places == nil {
		r.places, r.kinds, r.bars = map[string]*place{}, map[string]*Kind{}, map[string]bool{}
		r.like = map[*corev1.Container]sample{}
	}
	r.state = s
	if r.pace.next(s) {
		for _, uid := range s.Delta.Pods {
			r.sawPod(uid, s.Pods[uid])
		}
		for _, name := range s.Delta.Nodes {
			r.sawNode(name, s.Nodes[name])
		}
	} else {
		clear(r.bars)
		for uid, p := range s.Pods {
			r.sawPod(uid, p)
		}
		for name, n := range s.Nodes {
			r.sawNode(name, n)
		}
		for name := range r.places {
			if s.Nodes[name] == nil {
				r.sawNode(name, nil)
			}
		}
	}
	r.standing.See(s, func(node string) {
		if p := r.places[node]; p != nil {
			r.changed(p)
		}
	})
}

func (r *Rooms) sawPod(uid string, p *history.PodState) {
	if p != nil && p.NodeName != "" && oracle.Bars(p.Now) {
		r.bars[uid] = true
	} else {
		delete(r.bars, uid)
	}
}

func (r *Rooms) sawNode(name string, n *corev1.Node) {
	p := r.places[name]
	switch {
	case p == nil && n == nil:
		return
	case p == nil:
		p = &place{name: name}
		r.places[name] = p
		r.order = append(r.order, p)
	case p.node == n:
		return
	case n != nil && SamePlace(p.node, n):
		p.node = n
		return
	}
	if p.node = n; n == nil {
		delete(r.places, name)
	}
	r.changed(p)
}

// changed notes that another number of pods may fit on a place.
func (r *Rooms) changed(p *place) {
	p.stand = nil
	r.log = append(r.log, p)
}

// sample is a pod of a kind.
type sample struct {
	pod  *corev1.Pod
	kind *Kind
}

// KindOf is the kind of a pod as it was created; nil where it cannot be counted node by node.
func (r *Rooms) KindOf(p *history.Pod) *Kind {
	pod := specOf(p)
	if len(pod.Spec.Containers) > 0 {
		if s, ok := r.like[&pod.Spec.Containers[0]]; ok && oracle.SurelyAlike(s.pod, pod) {
			return s.kind
		}
	}
	read, ok := oracle.KindOf(pod)
	if !ok {
		return nil
	}
	k := r.kinds[read.Key()]
	if k == nil {
		k = &Kind{Kind: read, rooms: r, fits: map[*place]int{}}
		r.kinds[read.Key()] = k
	}
	if len(pod.Spec.Containers) > 0 {
		r.like[&pod.Spec.Containers[0]] = sample{pod, k}
	}
	return k
}

// update brings the counts up to the state. It reports whether they can be relied on.
func (k *Kind) update() bool {
	if k.failed {
		return false
	}
	r := k.rooms
	due := r.log[k.read:]
	if len(due) > len(r.order) {
		due = r.order // each once instead
	}
	for _, p := range due {
		n := 0
		if p.node != nil {
			if p.stand == nil {
				p.stand = oracle.StandOf(oracle.NodeOf(p.node, r.standing.On(p.name)...))
			}
			var err error
			if n, err = p.stand.Copies(k.Kind); err != nil {
				k.failed = true
				return false
			}
		}
		k.sum += n - k.fits[p]
		if n == 0 {
			delete(k.fits, p)
		} else {
			k.fits[p] = n
		}
	}
	k.read = len(r.log)
	return true
}
