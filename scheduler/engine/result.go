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

// resultOf is what the attempt means for a group of a tree.
func (e *Engine) resultOf(b, root *branch) GroupResult {
	if l := b.leaf; l != nil {
		o, r := l.outcome, l.reason
		switch {
		case b.outcome == Error:
			o, r = Error, b.reason
		case o != Placed: // waiting, idle or refused: said already
		case l.placed > 0:
			r = Reason{}
			if l.placed < len(l.pods) {
				r = Reason{Code: NoRoom, Have: l.placed, Need: len(l.pods)}
			}
		default:
			o, r = Unschedulable, b.reason
			if r.Code == NoReason {
				r = root.reason // it would fit, but the tree as a whole does not
			}
			if r.Code == NoReason {
				r = Reason{Code: NoRoom, Need: b.least}
			}
		}
		l.outcome, l.reason = o, r
		return l.result(o, r)
	}
	g := b.g
	res := GroupResult{Kind: g.kind, Key: g.Key, UID: g.uid, Generation: g.generation, Exists: g.exists}
	satisfied, waiting := 0, 0
	for _, c := range b.children {
		x := e.resultOf(c, root)
		res.Placed += x.Placed
		res.Bound += x.Bound
		if x.Satisfied && (c.done || c.chosen) {
			satisfied++
		}
		if x.Outcome != Idle {
			waiting++
		}
	}
	res.Satisfied = g.exists && (g.met || satisfied >= g.min)
	switch {
	case b.outcome == Error:
		res.Outcome, res.Reason = Error, b.reason
	case b.chosen && res.Placed > 0:
		res.Outcome = Placed
	case b.done && waiting == 0:
		res.Outcome = Idle
	case b.hopeless && !b.done:
		res.Outcome, res.Reason = b.outcome, b.reason
	default:
		res.Outcome, res.Reason = Unschedulable, b.reason
		if res.Reason.Code == NoReason {
			res.Reason = Reason{Code: ShortOfGroups, Have: satisfied, Need: g.min}
		}
	}
	return res
}

// shortage is the reason of a try that placed nothing.
func (e *Engine) shortage(kinds []*kind, sc scope, need int) Reason {
	have := int64(0)
	for _, k := range kinds {
		have += min(e.tableOf(k.shape).room(sc), int64(len(k.pods)))
	}
	r := Reason{Code: NoRoom, Have: int(min(have, int64(need))), Need: need}
	if have >= int64(need) { // each for itself, but not together
		r.Detail = "each for itself"
	}
	if sc.key != nil {
		r = Reason{Code: NoDomain, Key: sc.key.name, Domain: sc.key.values[sc.domain], Have: r.Have, Need: need, Detail: r.Detail}
	}
	return r
}
