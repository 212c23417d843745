package history

import (
	"cmp"
	"maps"
	"slices"
	"sort"

	corev1 "k8s.io/api/core/v1"
)

// change is one step of a replay: a pod, a gang or a node took another form, or went.
type change struct {
	at      Stamp
	pod     *Pod
	now     *corev1.Pod
	gang    *Gang
	quorum  int32
	node    *Node
	nodeNow *corev1.Node
	// gone: it does not exist any more, or (a pod) has finished.
	gone bool
	// bound: the pod's form is from before it was bound to its node.
	bound bool
}

// compare orders two stamps for sorting: by place, then by receipt.
func (s Stamp) compare(o Stamp) int {
	return cmp.Or(cmp.Compare(s.Order, o.Order), cmp.Compare(s.Seq, o.Seq))
}

// maxShift bounds how far note moves a late change at once; beyond that the whole is sorted when it is next needed.
const maxShift = 64

// note adds a change. Watches overtake one another only by a few events, so it nearly always stays at the end.
func (d *viewData) note(c change) {
	d.changes = append(d.changes, c)
	last := len(d.changes) - 1
	if d.sorted != last {
		return // it will be sorted anyhow
	}
	i := last
	for i > 0 && d.changes[i-1].at.compare(c.at) > 0 {
		i--
		if last-i > maxShift {
			d.drop(0)
			return
		}
	}
	copy(d.changes[i+1:], d.changes[i:last])
	d.changes[i] = c
	d.sorted = last + 1
	d.drop(i)
}

// drop forgets the cursor if it has walked past the i-th change.
func (d *viewData) drop(i int) {
	if d.cursor != nil && d.cursor.next > i {
		d.cursor = nil
	}
}

func (d *viewData) ordered() []change {
	if d.sorted != len(d.changes) {
		slices.SortStableFunc(d.changes, func(a, b change) int { return a.at.compare(b.at) })
		d.sorted = len(d.changes)
	}
	return d.changes
}

// walker is a state on its way through the changes.
type walker struct {
	state State
	next  int
}

func newWalker() *walker {
	return &walker{state: State{
		Nodes: map[string]*corev1.Node{}, Pods: map[string]*PodState{}, Gangs: map[string]*GangState{},
	}}
}

func (w *walker) take(c *change) {
	s := &w.state
	s.At = c.at
	w.next++
	switch {
	case c.pod != nil && c.gone:
		delete(s.Pods, c.pod.UID)
	case c.pod != nil:
		if old := s.Pods[c.pod.UID]; old == nil || old.form != c.now || old.bound != c.bound {
			s.Pods[c.pod.UID] = c.podState()
		}
	case c.gang != nil:
		key := c.gang.Namespace + "/" + c.gang.Name
		if c.gone {
			if old := s.Gangs[key]; old != nil && old.UID == c.gang.UID {
				delete(s.Gangs, key)
			}
			return
		}
		s.Gangs[key] = &GangState{Gang: c.gang, Quorum: c.quorum}
	case c.node != nil && c.gone:
		if old := s.Nodes[c.node.Name]; old != nil && string(old.UID) == c.node.UID {
			delete(s.Nodes, c.node.Name)
		}
	case c.node != nil:
		s.Nodes[c.node.Name] = c.nodeNow
	}
}

// podState is what a replay shows of the pod that changed.
func (c *change) podState() *PodState {
	now := c.now
	if c.bound {
		there := *now
		there.Spec.NodeName = c.pod.Node
		now = &there
	}
	return &PodState{Pod: c.pod, Now: now, NodeName: nodeOf(now), Gated: len(now.Spec.SchedulingGates) > 0,
		Deleting: now.DeletionTimestamp != nil, form: c.now, bound: c.bound}
}

// note adds a change to the difference.
func (d *Delta) note(c *change) {
	switch {
	case c.pod != nil:
		d.Pods = append(d.Pods, c.pod.UID)
	case c.gang != nil:
		d.Gangs = append(d.Gangs, c.gang.Namespace+"/"+c.gang.Name)
	case c.node != nil:
		d.Nodes = append(d.Nodes, c.node.Name)
	}
}

// Replay walks the view's changes of objects in their total order and hands the state after each to f until it returns
// false. Changes at the same place are one step. The driver's actions and samples change nothing and are not visited.
// The state is reused from step to step: do not keep or change it. One walk costs time in proportion to the changes.
func (v *View) Replay(f func(s *State, at Stamp) bool) {
	v.data.lock.Lock()
	changes := v.data.ordered()
	v.data.lock.Unlock()
	w := newWalker()
	d := &Delta{}
	d.Walk, w.state.Delta = d, d
	for w.next < len(changes) {
		c := &changes[w.next]
		w.take(c)
		d.note(c)
		if w.next < len(changes) && changes[w.next].at.Order == w.state.At.Order {
			continue
		}
		d.Step++
		if !f(&w.state, w.state.At) {
			return
		}
		d.Pods, d.Nodes, d.Gangs = d.Pods[:0], d.Nodes[:0], d.Gangs[:0]
	}
}

// StateBefore is the state that the changes at s met: StateAt of the last change before s. It may be kept.
func (v *View) StateBefore(s Stamp) *State {
	d := v.data
	d.lock.Lock()
	changes := d.ordered()
	i := sort.Search(len(changes), func(i int) bool { return !changes[i].at.Before(s) })
	var last Stamp
	if i > 0 {
		last = changes[i-1].at
	}
	d.lock.Unlock()
	return v.StateAt(last)
}

// StateAt is the state in force at s, the changes at s included. It may be kept. Asking in order of the stamps costs
// one walk altogether; going back starts a new one.
func (v *View) StateAt(s Stamp) *State {
	d := v.data
	d.lock.Lock()
	defer d.lock.Unlock()
	changes := d.ordered()
	if d.cursor == nil || d.cursor.next > 0 && changes[d.cursor.next-1].at.After(s) {
		d.cursor = newWalker()
	}
	for w := d.cursor; w.next < len(changes) && !changes[w.next].at.After(s); {
		w.take(&changes[w.next])
	}
	st := &d.cursor.state
	return &State{At: s, Nodes: maps.Clone(st.Nodes), Pods: maps.Clone(st.Pods), Gangs: maps.Clone(st.Gangs)}
}
