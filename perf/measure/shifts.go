package measure

import "muster/suites/history"

// nodeShifts are what nodes offer, as it changes.
func nodeShifts(v *history.View, resource string) []shift {
	var out []shift
	for _, n := range v.Nodes {
		var now int64
		for _, o := range n.Object {
			if is := has(o.Value, resource); is != now {
				out = append(out, shift{at: o.Stamp, node: n.Name, has: is - now})
				now = is
			}
		}
		if !n.Gone.IsZero() && now != 0 {
			out = append(out, shift{at: n.Gone, node: n.Name, has: -now})
		}
	}
	return out
}

// podShifts are what pods ask for, hold, and hold to some use.
func podShifts(t *Tape, resource string) []shift {
	useful := map[*history.Pod]history.Stamp{}
	for _, g := range t.View.Gangs {
		var from history.Stamp
		if g.Basic || len(g.Quorum) == 0 {
			from = g.Created
		} else if from = t.View.QuorumBoundOf(g); from.IsZero() {
			continue
		}
		for _, p := range membersOf(t.View, g) {
			useful[p] = from
		}
	}
	var out []shift
	for _, p := range t.View.Pods {
		amount := requests(p, resource)
		if amount == 0 {
			continue
		}
		left := freed(p)
		out = append(out, shift{at: p.Created, wanted: amount})
		if !left.IsZero() {
			out = append(out, shift{at: left, wanted: -amount})
		}
		if p.Bound.IsZero() {
			continue
		}
		out = append(out, shift{at: p.Bound, node: p.Node, held: amount})
		if !left.IsZero() {
			out = append(out, shift{at: left, node: p.Node, held: -amount})
		}
		runs := p.Bound
		if p.Gang != "" {
			from, ok := useful[p]
			if !ok {
				continue
			}
			runs = latestOf(runs, from)
		}
		// A pod that is being deleted holds its node, but not to any use.
		stops := left
		if !p.Deleting.IsZero() && (stops.IsZero() || p.Deleting.Mono < stops.Mono) {
			stops = p.Deleting
		}
		if !stops.IsZero() && stops.Mono <= runs.Mono {
			continue
		}
		out = append(out, shift{at: runs, useful: amount, pod: p})
		if !stops.IsZero() {
			out = append(out, shift{at: stops, useful: -amount, pod: p})
		}
	}
	return out
}

// freed is when a pod gives its place back: it has finished, or is gone.
func freed(p *history.Pod) history.Stamp {
	if p.Finished.Before(p.Gone) {
		return p.Finished
	}
	return p.Gone
}

func largestNode(v *history.View, resource string) (most int64) {
	for _, n := range v.Nodes {
		for _, o := range n.Object {
			most = max(most, has(o.Value, resource))
		}
	}
	return most
}
