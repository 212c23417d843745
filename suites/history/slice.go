package history

import (
	"encoding/json"
	"strconv"
)

// Slice is the part of the history that a view of the scope is made from: what to keep beside a failed scenario.
// Judged again it gives what the whole gave.
func (h *History) Slice(scope Scope) *History {
	h = h.of(scope.Scenario)
	if scope.onlyNamed() {
		scope, _ = h.FindScope(scope.Scenario)
	}
	out := &History{Header: h.Header, Name: h.Name}
	out.Header.Slice = scope.Scenario
	keep := h.objectsOf(scope)
	folded, _ := h.fold()
	for i := range folded {
		e, ok := keep.event(folded[i].Event, &scope)
		if !ok {
			continue
		}
		if h.Header.Storage == SingleEtcd && !e.isObject() {
			e.After = strconv.FormatInt(folded[i].At.Order>>subBits, 10)
		}
		out.Events = append(out.Events, e)
	}
	return out
}

// kept are the UIDs of objects whose events stay.
type kept map[string]bool

func (h *History) objectsOf(scope Scope) kept {
	keep := kept{}
	b := NewBuilder(&h.Header, nil, scope)
	folded, _ := h.fold()
	for i := range folded {
		b.AddFolded(&folded[i])
	}
	for uid := range b.pods {
		keep[uid] = true
	}
	for uid := range b.nodes {
		keep[uid] = true
	}
	for i := range h.Events {
		if e := &h.Events[i]; e.isObject() && scope.hasNamespace(e.Namespace) {
			keep[e.UID] = true
		}
	}
	return keep
}

// event reports whether an event stays; of a consistent list only the kept objects do.
func (k kept) event(e Event, scope *Scope) (Event, bool) {
	switch {
	case e.isObject():
		return e, k[e.UID]
	case e.Origin == Driver:
		// Foreign binds and creations stay: they say whose the bind of a pod is that came from outside the namespaces.
		return e, e.Action == nil || e.Action.Scenario == scope.Scenario || e.Verb == VerbBind || k[e.UID]
	case e.Verb != VerbSync:
		return e, true
	}
	var all []ListedObject
	if json.Unmarshal(e.Object, &all) != nil {
		return e, true
	}
	some := make([]ListedObject, 0, len(all))
	for _, o := range all {
		if k[o.UID] {
			some = append(some, o)
		}
	}
	raw, err := encode(some)
	if err != nil {
		return e, true
	}
	e.Object = raw
	return e, true
}
