package ceiling

import (
	"maps"
	"slices"
	"strings"

	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/types"
)

// group is a PodGroup, or the members of one that is not there yet.
type group struct {
	key    key
	uid    types.UID
	exists bool
	// quorum of a gang; 1 for a basic group. generation it was read at.
	quorum     int
	gang       bool
	generation int64
	topology   string // key of the domain that all members share; empty: none
	members    map[*pod]bool
	waiting    map[*pod]bool // members that are ready and have no place
	placed     int           // members with room, bound or not
	bound      int
	told       bool // its condition is True, or is being written
}

func (w *world) groupNamed(k key) *group {
	g := w.groups[k]
	if g == nil {
		g = &group{key: k, members: map[*pod]bool{}, waiting: map[*pod]bool{}}
		w.groups[k] = g
	}
	return g
}

func (w *world) upsertGroup(o *schedulingv1beta1.PodGroup) {
	g := w.groupNamed(key{o.Namespace, o.Name})
	if g.uid != o.UID {
		g.told = false
	}
	g.uid, g.exists, g.generation = o.UID, true, o.Generation
	g.gang, g.quorum = false, 1
	if gang := o.Spec.SchedulingPolicy.Gang; gang != nil {
		g.gang, g.quorum = true, int(gang.MinCount)
	}
	g.topology = ""
	if c := o.Spec.SchedulingConstraints; c != nil && len(c.Topology) > 0 {
		g.topology = c.Topology[0].Key
	}
	if meta.IsStatusConditionTrue(o.Status.Conditions, schedulingv1beta1.PodGroupInitiallyScheduled) {
		g.told = true
	}
	if w.live {
		w.consider(g)
		w.tell(g)
	}
}

func (w *world) deleteGroup(k key, uid types.UID) {
	if g := w.groups[k]; g != nil && g.uid == uid {
		g.exists = false
		w.forgetEmpty(g)
	}
}

func (w *world) forgetEmpty(g *group) {
	if !g.exists && len(g.members) == 0 {
		delete(w.groups, g.key)
		delete(w.stuckGroups, g)
	}
}

// consider places what can be placed of a group: of a gang that has not begun all of its members that are there, or as
// many as its quorum needs. A group that is stuck waits for room; more members do not help it.
func (w *world) consider(g *group) {
	missing := max(g.quorum-g.placed, 0)
	if !g.exists || len(g.waiting) == 0 || len(g.waiting) < missing || w.stuckGroups[g] {
		return
	}
	// Members in the order of their names: no decision, but the same every time.
	waiting := slices.SortedFunc(maps.Keys(g.waiting), func(a, b *pod) int { return strings.Compare(a.key.name, b.key.name) })
	if w.placeAll(g, waiting) {
		return
	}
	if missing > 0 {
		if !w.placeAll(g, waiting[:missing]) {
			w.stuckGroups[g] = true
			return
		}
		waiting = waiting[missing:]
	}
	for _, p := range waiting {
		if !w.placeAll(g, []*pod{p}) {
			w.stuckGroups[g] = true
			return
		}
	}
}

// placeAll places all of these members, or none.
func (w *world) placeAll(g *group, members []*pod) bool {
	v := w.view(members[0].view, members[0].obj)
	if g.topology == "" {
		if !w.fill(members, nil) {
			return false
		}
	} else if !w.fillDomain(v.split(g.topology), w.settled(g), g, members) {
		return false
	}
	for _, p := range members {
		w.send(p)
	}
	return true
}

// settled is the value of the domain in which a member of the group has its place already.
func (w *world) settled(g *group) (value string) {
	for p := range g.members {
		if p.node != nil && p.node.obj != nil {
			return p.node.obj.Labels[g.topology]
		}
	}
	return ""
}

func (w *world) fillDomain(d *domains, only string, g *group, members []*pod) bool {
	for i := range d.list {
		at := (d.cursor + i) % len(d.list)
		if only != "" && d.list[at].value != only {
			continue
		}
		if w.fill(members, d.list[at]) {
			d.cursor = at
			return true
		}
	}
	return false
}

// fill assumes all members in a domain (nil: each in its own view), or none.
func (w *world) fill(members []*pod, in *domain) bool {
	for i, p := range members {
		d := in
		if d == nil {
			d = &w.view(p.view, p.obj).all
		}
		n := d.next(p, w.names.ports)
		if n == nil {
			for _, undone := range members[:i] {
				w.free(undone)
			}
			return false
		}
		w.assume(p, n)
	}
	return true
}

// tell has the group's condition written when what it requires is bound.
func (w *world) tell(g *group) {
	if !w.live || g.told || !g.exists || g.bound < max(g.quorum, 1) {
		return
	}
	g.told = true
	w.emit(&job{group: g.key, uid: g.uid, generation: g.generation})
}

// tellAll does so for groups whose quorum was bound before the start.
func (w *world) tellAll() {
	for _, g := range slices.Collect(maps.Values(w.groups)) {
		w.tell(g)
	}
}
