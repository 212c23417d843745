package history

import (
	"slices"
	"sync"
)

// History is a record in memory: what Read read, or Merge put together. It is read-only once a view was made of it.
type History struct {
	Header Header
	// Events in the order of receipt.
	Events []Event
	// Name says where it came from, for messages.
	Name string
	// Clusters are the histories that Merge put together here where they are of several clusters; else empty.
	Clusters []*History

	// whole is the view of everything, of a history whose events were not kept; see ReadWhole.
	whole  *View
	once   sync.Once
	folded []Folded
	gaps   []*Gap
}

// Scopes are the scenarios that the history says it contains, in the order of their begin events.
func (h *History) Scopes() []Scope {
	var out []Scope
	for i := range h.Events {
		if s := h.Events[i].scope(); s != nil {
			out = append(out, *s)
		}
	}
	return out
}

// FindScope finds a scenario's scope by its name. Where a scenario ran more than once, it is the last.
func (h *History) FindScope(scenario string) (Scope, bool) {
	for _, e := range slices.Backward(h.Events) {
		if s := e.scope(); s != nil && s.Scenario == scenario {
			return *s, true
		}
	}
	return Scope{}, false
}

// scope is what a begin event declares, else nil.
func (e *Event) scope() *Scope {
	if e.Verb != VerbBegin || e.Action == nil {
		return nil
	}
	return e.Action.Scope
}

// fold folds all events once; views of the same history share the result. What cannot be folded has become a gap.
func (h *History) fold() ([]Folded, []*Gap) {
	h.once.Do(func() {
		f := NewFolder(&h.Header)
		h.folded = make([]Folded, len(h.Events))
		for i, e := range h.Events {
			h.folded[i], _ = f.Fold(e) // the error is in Folded.Gaps
		}
		h.gaps = f.Finish()
	})
	return h.folded, h.gaps
}

// of is the history of the cluster in which the scenario ran.
func (h *History) of(scenario string) *History {
	for _, c := range h.Clusters {
		if _, ok := c.FindScope(scenario); ok {
			return c
		}
	}
	return h
}
