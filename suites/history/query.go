package history

import (
	"strings"
	"time"

	"muster/workloads/settle"
)

// Ordered reports whether stamps order events across resources: the header says that storage is a single etcd.
// Where it is false the order is that of receipt, and a check that depends on the order of two resources must say
// Inconclusive or allow for the watches' lag.
func (v *View) Ordered() bool { return v.Header.Storage == SingleEtcd }

// Now is the last stamp of the view: its end where it has one, else the last place recorded.
func (v *View) Now() Stamp {
	if !v.End.IsZero() {
		return v.End
	}
	return v.data.now
}

// Settle is the settle bound in force for a group of the given size: the scope's where the user set one, else that of
// the scheduler's profile.
func (v *View) Settle(members int) time.Duration {
	root, base := v.settle()
	return settle.Bound(root, base, members)
}

// SettleBase is what the settle bound holds for all that is no back-off, whatever the size of the group.
func (v *View) SettleBase() time.Duration {
	_, base := v.settle()
	return settle.Bound(0, base, 1)
}

func (v *View) settle() (root, base float64) {
	if v.Scope.SettleRoot > 0 || v.Scope.SettleBase > 0 {
		return v.Scope.SettleRoot, v.Scope.SettleBase
	}
	return v.Header.Scheduler.SettleRoot, v.Header.Scheduler.SettleBase
}

// Queue is the longest bind latency of the canary pods that waited at any time from one stamp to the other (zero: the end
// of the view): how long whatever came into the scheduler's queue then had to wait for its turn. Zero where none was
// measured.
func (v *View) Queue(from, to Stamp) (longest time.Duration) {
	if to.IsZero() || to.After(v.Now()) {
		to = v.Now()
	}
	for _, c := range v.data.canaries {
		// A canary waited from its creation, by the recorder's clock, until it was bound. One that is bound after the end
		// of the view is not known yet where the view is live.
		if !c.Stamp.After(v.Now()) && c.Stamp.Mono >= from.Mono && c.Stamp.Mono-c.Value.Canary <= to.Mono {
			longest = max(longest, c.Value.Canary)
		}
	}
	return longest
}

// Pod is the last incarnation of the named pod of the scenario's namespace; nil if there never was one. Here and in
// the other methods a name may be given as namespace/name; without, all the scope's namespaces are searched in order.
func (v *View) Pod(name string) *Pod {
	return last(v.PodsNamed(name))
}

// PodsNamed are all incarnations of the named pod.
func (v *View) PodsNamed(name string) []*Pod {
	return find(v, v.data.podsByName, name)
}

// Gang is the last incarnation of the named gang; nil if there never was one.
func (v *View) Gang(name string) *Gang { return last(v.GangsNamed(name)) }

// GangsNamed are all incarnations of the named gang.
func (v *View) GangsNamed(name string) []*Gang {
	return find(v, v.data.gangsByName, name)
}

// Node is the last incarnation of the named node; nil if there never was one.
func (v *View) Node(name string) *Node { return last(v.data.nodesByName[name]) }

// NodesNamed are all incarnations of the named node, in order of creation.
func (v *View) NodesNamed(name string) []*Node { return v.data.nodesByName[name] }

// Members are all pods (all incarnations, whatever became of them) that name the gang, in order of creation.
func (v *View) Members(gang string) []*Pod {
	return find(v, v.data.members, gang)
}

// MembersOf are the members of a gang of a view that spans namespaces. Incarnations of a gang share them: pods name
// a gang, not a UID.
func (v *View) MembersOf(g *Gang) []*Pod { return v.data.members[g.Namespace+"/"+g.Name] }

// Mark is the driver's named point; ok is false where it was never reached. Of a mark made more than once it is the
// first.
func (v *View) Mark(name string) (s Stamp, ok bool) {
	for _, a := range v.Actions {
		if a.Value.Verb == VerbMark && a.Value.Name == name {
			return a.Stamp, true
		}
	}
	return Stamp{}, false
}

// Try is the recorded response of Env.Try(label); the first of that label.
func (v *View) Try(label string) (Response, bool) {
	e, ok := v.TryEvent(label)
	if !ok {
		return Response{}, false
	}
	return e.Value.Action.Response, true
}

// TryEvent is the whole event behind Try, with its place.
func (v *View) TryEvent(label string) (At[Event], bool) {
	for _, a := range v.Actions {
		if a.Value.Action != nil && a.Value.Action.Label == label && a.Value.isRequest() {
			return a, true
		}
	}
	return At[Event]{}, false
}

// Awaited says how an Await ended: whether its condition held, and where. ok is false if there was no such await.
func (v *View) Awaited(what string) (held bool, at Stamp, ok bool) {
	for _, a := range v.Actions {
		if a.Value.Verb == VerbAwait && a.Value.Action != nil && a.Value.Action.Label == what {
			return a.Value.Action.Held != nil && *a.Value.Action.Held, a.Stamp, true
		}
	}
	return false, Stamp{}, false
}

func last[T any](list []*T) *T {
	if len(list) == 0 {
		return nil
	}
	return list[len(list)-1]
}

// find looks a name up: as namespace/name, else in the scope's namespaces, else (in a whole history) in the
// first namespace by name that has it.
func find[T any](v *View, index map[string][]*T, name string) []*T {
	if strings.Contains(name, "/") {
		return index[name]
	}
	for _, ns := range v.Scope.Namespaces {
		if list := index[ns+"/"+name]; len(list) > 0 {
			return list
		}
	}
	if len(v.Scope.Namespaces) > 0 {
		return nil
	}
	var first string
	for key := range index {
		if strings.HasSuffix(key, "/"+name) && (first == "" || key < first) {
			first = key
		}
	}
	return index[first]
}
