package history

import (
	"slices"
	"sync"
	"time"
)

// viewData is what the view's methods look things up in.
type viewData struct {
	// now is the last place seen.
	now Stamp
	// podsByName, gangsByName (namespace/name) and nodesByName are all incarnations in order of creation; members are
	// the pods that name a gang (namespace/gang).
	podsByName, members map[string][]*Pod
	gangsByName         map[string][]*Gang
	nodesByName         map[string][]*Node
	// compositesByName is by namespace/name.
	compositesByName map[string][]*Composite
	// claimsByName is by namespace/name.
	claimsByName map[string][]*Claim
	// canaries are the canary pods that were bound, in order.
	canaries []At[Sample]

	// changes are what Replay walks. They are in order up to sorted.
	changes []change
	sorted  int

	// cursor is where StateAt last looked, so that questions asked in order cost one walk altogether. The lock lets
	// judges ask from several goroutines once a view is complete.
	lock   sync.Mutex
	cursor *walker
}

func newViewData() *viewData {
	return &viewData{
		podsByName: map[string][]*Pod{}, members: map[string][]*Pod{},
		gangsByName: map[string][]*Gang{}, nodesByName: map[string][]*Node{},
		compositesByName: map[string][]*Composite{}, claimsByName: map[string][]*Claim{},
	}
}

func (v *View) addPod(p *Pod) {
	created := func(p *Pod) Stamp { return p.Created }
	v.Pods = insertBy(v.Pods, p, created)
	key := p.Namespace + "/" + p.Name
	v.data.podsByName[key] = insertBy(v.data.podsByName[key], p, created)
	if p.Gang != "" {
		key := p.Namespace + "/" + p.Gang
		v.data.members[key] = insertBy(v.data.members[key], p, created)
	}
}

func (v *View) addGang(g *Gang) {
	created := func(g *Gang) Stamp { return g.Created }
	v.Gangs = insertBy(v.Gangs, g, created)
	key := g.Namespace + "/" + g.Name
	v.data.gangsByName[key] = insertBy(v.data.gangsByName[key], g, created)
}

func (v *View) addNode(n *Node) {
	created := func(n *Node) Stamp { return n.Created }
	v.Nodes = insertBy(v.Nodes, n, created)
	v.data.nodesByName[n.Name] = insertBy(v.data.nodesByName[n.Name], n, created)
}

// insertBy keeps a list in order of a stamp; those that lie at the same place stay in order of receipt. Nearly always
// the new one is the last, and a list is at most a few thousand long.
func insertBy[T any](list []T, e T, stamp func(T) Stamp) []T {
	s := stamp(e)
	if n := len(list); n == 0 || !stamp(list[n-1]).After(s) {
		return append(list, e)
	}
	i, _ := slices.BinarySearchFunc(list, s, func(o T, s Stamp) int {
		if stamp(o).After(s) {
			return 1
		}
		return -1
	})
	return slices.Insert(list, i, e)
}

// touchedBy reports whether a gap lies in the time and among the resources of the view.
func (v *View) touchedBy(g *Gap) bool {
	if !v.End.IsZero() && !g.From.IsZero() && !g.From.Before(v.End) {
		return false
	}
	if !v.Begin.IsZero() && !g.To.IsZero() && g.To.Before(v.Begin) {
		// What was lost before the scenario began was listed again before it, too.
		return false
	}
	return true
}

// GapsIn are the gaps that may hide events of the given resources ("pods", "podgroups.scheduling.k8s.io"): theirs,
// and those of the whole record.
func (v *View) GapsIn(resources ...string) []Gap {
	var out []Gap
	for _, g := range v.Gaps {
		if g.Resource == "" || slices.Contains(resources, g.Resource) {
			out = append(out, g)
		}
	}
	return out
}

// median of the canaries' latencies.
func median(samples []At[Sample]) (d time.Duration) {
	if len(samples) == 0 {
		return 0
	}
	all := make([]time.Duration, len(samples))
	for i, s := range samples {
		all[i] = s.Value.Canary
	}
	slices.Sort(all)
	return all[len(all)/2]
}
