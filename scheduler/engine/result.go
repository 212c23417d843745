package engine

// result is what the attempt means for the PodGroup.
func (l *leaf) result(o Outcome, r Reason) GroupResult {
	g := l.g
	res := GroupResult{Kind: g.kind, Key: g.Key, UID: g.uid, Generation: g.generation, Exists: g.exists,
		Outcome: o, Reason: r, Placed: l.placed, Bound: g.bound}
	standing := g.standing() + l.placed
	res.Satisfied = g.exists && (g.met || standing > 0 && (!g.gang || standing >= g.min))
	return res
}

// results appends what the attempt means for a group of a tree and for all below, parents first. stop is the nearest group
// above that cannot be satisfied whatever the room, if any: below it everything waits for what that one waits for.
func (e *Engine) results(d *Decision, b, root, stop *branch) GroupResult {
	at := len(d.Groups)
	d.Groups = append(d.Groups, GroupResult{})
	if stop == nil && b.hopeless && !b.done && b.outcome == Waiting {
		stop = b
	}
	if b.leaf != nil {
		d.Groups[at] = e.leafResult(b, root, stop)
		return d.Groups[at]
	}
	g := b.g
	res := GroupResult{Kind: g.kind, Key: g.Key, UID: g.uid, Generation: g.generation, Exists: g.exists}
	satisfied, busy := 0, 0
	for _, c := range b.children {
		x := e.results(d, c, root, stop)
		res.Placed += x.Placed
		res.Bound += x.Bound
		if x.Satisfied && (c.done || c.chosen) {
			satisfied++
		}
		if x.Outcome != Idle {
			busy++
		}
	}
	res.Satisfied = g.exists && (g.met || satisfied >= g.min)
	switch {
	case b.outcome == Error:
		res.Outcome, res.Reason = Error, b.reason
	case b.chosen && res.Placed > 0:
		res.Outcome = Placed
	case b.done && busy == 0:
		res.Outcome = Idle
	case stop != nil:
		res.Outcome, res.Reason = Waiting, stop.reason
	default:
		res.Outcome, res.Reason = Unschedulable, b.reason
		if res.Reason.Code == NoReason {
			res.Reason = Reason{Code: ShortOfGroups, Have: satisfied, Need: g.min}
		}
	}
	d.Groups[at] = res
	return res
}

// leafResult is what the attempt on a tree means for one PodGroup of it.
func (e *Engine) leafResult(b, root, stop *branch) GroupResult {
	l := b.leaf
	switch {
	case b.outcome == Error:
		l.outcome, l.reason = Error, b.reason
	case l.outcome != Placed: // waiting, idle or refused: said already
	case l.placed == len(l.pods):
		l.reason = Reason{}
	case l.placed > 0:
		l.reason = Reason{Code: NoRoom, Have: l.placed, Need: len(l.pods)}
	case stop != nil:
		l.outcome, l.reason = Waiting, stop.reason
	default:
		l.outcome, l.reason = Unschedulable, b.reason
		if l.reason.Code == NoReason {
			l.reason = root.reason // it would fit, but the tree as a whole does not
		}
		if l.reason.Code == NoReason {
			l.reason = Reason{Code: NoRoom, Need: b.least}
		}
	}
	return l.result(l.outcome, l.reason)
}

// shortage is the reason of a try that placed nothing.
func (e *Engine) shortage(kinds []*kind, sc scope, need int) Reason {
	have := int64(0)
	for _, k := range kinds {
		have += min(e.supplyOf(k.shape, sc, nil).room(sc), int64(len(k.pods)))
	}
	r := Reason{Code: NoRoom, Have: int(min(have, int64(need))), Need: need}
	if have >= int64(need) {
		r.Detail = "each fits by itself, but not all at once, or rules about other pods forbid it"
	}
	if sc.key != nil {
		r = Reason{Code: NoDomain, Key: sc.key.name, Domain: sc.key.values[sc.domain], Have: r.Have, Need: need, Detail: r.Detail}
	}
	return r
}
