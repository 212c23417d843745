package engine

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// kind is a set of pending pods that are interchangeable: of one shape, matched by the same terms, with the same claims.
type kind struct {
	shape   *shape
	matched []*term
	claims  []*claim       // those that restrict where the pod may be
	devs    []*deviceClaim // those that restrict it, or will
	pods    []*pod         // oldest first
	// simple: where a pod may be depends on nothing but what the table knows, and it prefers nothing.
	simple bool
	// around[i] caches for spread constraint i which nodes count, and even[i] the state of its domains.
	around [][]bool
	even   []evenness
}

// evenness is how the pods that a spread constraint counts stand.
type evenness struct {
	counts  map[int32]int32 // by domain; every domain that counts has an entry
	least   int32
	matches bool // the pods of the kind count themselves
}

// kindsOf groups pods; in a kind they keep their order.
func (e *Engine) kindsOf(pods []*pod) []*kind {
	var out []*kind
	for _, p := range pods {
		claims, devs := e.restricting(p.claims), e.restrictingDevices(p)
		i := -1
		for j := len(out) - 1; j >= 0; j-- { // equal pods come together
			k := out[j]
			if k.shape == p.shape && slices.Equal(k.matched, p.labels.matched) && slices.Equal(k.claims, claims) && slices.Equal(k.devs, devs) {
				i = j
				break
			}
		}
		if i < 0 {
			out = append(out, &kind{shape: p.shape, matched: p.labels.matched, claims: claims, devs: devs})
			i = len(out) - 1
			out[i].simple = len(claims) == 0 && len(devs) == 0 && e.plainDevices(p.shape) && p.shape.rules == nil && !slices.ContainsFunc(p.labels.matched, func(t *term) bool {
				return t.carried > 0
			})
		}
		out[i].pods = append(out[i].pods, p)
	}
	return out
}

// prepare reads the counters that legal needs; it is valid until something is placed.
func (e *Engine) prepare(k *kind) {
	if k.shape.rules == nil || len(k.shape.rules.spreads) == 0 {
		return
	}
	spreads := k.shape.rules.spreads
	if k.around == nil {
		e.survey(k)
	}
	k.even = k.even[:0]
	for i, s := range spreads {
		ev := evenness{counts: map[int32]int32{}, matches: slices.Contains(k.matched, s.term)}
		for id, in := range k.around[i] {
			if in {
				ev.counts[s.key.of[id]] += s.byNode[int32(id)]
			}
		}
		first := true
		for _, c := range ev.counts {
			if first || c < ev.least {
				ev.least, first = c, false
			}
		}
		if len(ev.counts) < int(s.minDomains) {
			ev.least = 0
		}
		k.even = append(k.even, ev)
	}
}

// survey finds the nodes that count for each spread constraint: those with every key the constraints name, and as the
// inclusion policies say those the pod may use.
func (e *Engine) survey(k *kind) {
	spreads := k.shape.rules.spreads
	k.around = make([][]bool, len(spreads))
	for i, s := range spreads {
		k.around[i] = make([]bool, len(e.nodes))
		for id, n := range e.nodes {
			in := n.exists && !slices.ContainsFunc(spreads, func(o spread) bool { return o.key.of[id] == noDomain })
			if in && !s.ignoreAffinity && k.shape.selective {
				in = e.selected(k.shape, n)
			}
			if in && s.byTaints {
				in = !slices.ContainsFunc(n.taints, func(t corev1.Taint) bool {
					return t.Effect != corev1.TaintEffectPreferNoSchedule && !k.shape.tolerates(&t)
				})
			}
			k.around[i][id] = in
		}
	}
}

// legal reports whether the rules about other pods allow one more pod of the kind on the node; prepare comes first.
func (e *Engine) legal(k *kind, id int32) bool {
	for _, t := range k.matched {
		if t.owners > 0 && inDomain(t.ownDomain, t.key.of[id]) {
			return false
		}
	}
	for _, c := range k.claims {
		if !e.claimAllows(c, id) {
			return false
		}
	}
	if !e.devicesAllow(k, id) {
		return false
	}
	r := k.shape.rules
	if r == nil {
		return true
	}
	for _, t := range r.anti {
		if t.total > 0 && inDomain(t.byDomain, t.key.of[id]) {
			return false
		}
	}
	return together(k, id) && evenly(k, id)
}

func inDomain(t tally, d int32) bool { return d != noDomain && t[d] > 0 }

// together: required affinity. The first pod of its kind may go anywhere if it would satisfy itself.
func together(k *kind, id int32) bool {
	terms := k.shape.rules.affinity
	if len(terms) == 0 {
		return true
	}
	near, any := true, false
	for _, t := range terms {
		d := t.key.of[id]
		if d == noDomain {
			return false
		}
		near = near && t.byDomain[d] > 0
		any = any || t.total > 0
	}
	return near || !any && slices.Contains(k.matched, terms[0])
}

func evenly(k *kind, id int32) bool {
	for i, s := range k.shape.rules.spreads {
		d := s.key.of[id]
		if d == noDomain {
			return false
		}
		c := k.even[i].counts[d]
		if k.even[i].matches {
			c++
		}
		if c-k.even[i].least > s.maxSkew {
			return false
		}
	}
	return true
}
