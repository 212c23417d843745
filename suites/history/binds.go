package history

import "slices"

// BoundAt are the gang's members bound at s and neither finished, deleted nor gone then, in order of creation.
func (v *View) BoundAt(gang string, s Stamp) []*Pod {
	var out []*Pod
	for _, p := range v.Members(gang) {
		if p.BoundAt(s) {
			out = append(out, p)
		}
	}
	return out
}

// BoundEver are the gang's members that were bound at some time, whatever became of them.
func (v *View) BoundEver(gang string) []*Pod {
	var out []*Pod
	for _, p := range v.Members(gang) {
		if !p.Bound.IsZero() {
			out = append(out, p)
		}
	}
	return out
}

// BoundCount is how many members are bound, and neither finished nor deleted, at the end.
func (v *View) BoundCount(gang string) int { return len(v.BoundAt(gang, v.Now())) }

// FirstBind is the first bind of a member by the scheduler under test (Pod.ByScheduler); zero: never.
func (v *View) FirstBind(gang string) (first Stamp) {
	for _, p := range v.Members(gang) {
		if p.ByScheduler() && p.Bound.Before(first) {
			first = p.Bound
		}
	}
	return first
}

// LastBind is the last bind of a member by the scheduler under test; zero: never.
func (v *View) LastBind(gang string) (last Stamp) {
	for _, p := range v.Members(gang) {
		if p.ByScheduler() && (last.IsZero() || p.Bound.After(last)) {
			last = p.Bound
		}
	}
	return last
}

// PodsOn are the view's pods that hold room on the node at s: bound there and neither finished nor gone. Pods that
// are being deleted still hold it.
func (v *View) PodsOn(node string, s Stamp) []*Pod {
	var out []*Pod
	for _, p := range v.Pods {
		if p.Node == node && reached(p.Bound, s) && !reached(p.Finished, s) && !reached(p.Gone, s) {
			out = append(out, p)
		}
	}
	return out
}

// QuorumBound is where the bound members of the gang's last incarnation first reached the quorum in force: by a bind,
// whoever made it, or by the quorum being lowered. Members that finished after they were bound count for ever,
// members that were deleted before count no more. Zero: never, or the gang is basic.
func (v *View) QuorumBound(gang string) Stamp {
	g := v.Gang(gang)
	if g == nil {
		return Stamp{}
	}
	return v.QuorumBoundOf(g)
}

// QuorumBoundOf is QuorumBound for any incarnation.
func (v *View) QuorumBoundOf(g *Gang) Stamp {
	steps := make([]step, 0, 2*len(v.MembersOf(g))+len(g.Quorum))
	for _, p := range v.MembersOf(g) {
		lost := p.lost()
		if p.Bound.IsZero() || reached(lost, p.Bound) {
			continue
		}
		steps = append(steps, step{at: p.Bound, bound: 1})
		if !lost.IsZero() {
			steps = append(steps, step{at: lost, bound: -1})
		}
	}
	for _, q := range g.Quorum {
		steps = append(steps, step{at: q.Stamp, quorum: q.Value})
	}
	slices.SortStableFunc(steps, func(a, b step) int { return a.at.compare(b.at) })
	var bound, quorum int32
	for i, s := range steps {
		if s.at.After(v.Now()) || !g.Gone.IsZero() && s.at.After(g.Gone) {
			break
		}
		bound += s.bound
		if s.quorum > 0 {
			quorum = s.quorum
		}
		// Steps at one place are one step.
		if i+1 < len(steps) && steps[i+1].at.Order == s.at.Order {
			continue
		}
		if quorum > 0 && bound >= quorum {
			return s.at
		}
	}
	return Stamp{}
}

// step is a change of what QuorumBound compares.
type step struct {
	at     Stamp
	bound  int32
	quorum int32
}

// lost is where a pod stopped to count as a member without having finished.
func (p *Pod) lost() Stamp {
	lost := p.Deleting
	if p.Gone.Before(lost) {
		lost = p.Gone
	}
	if lost.IsZero() || reached(p.Finished, lost) {
		return Stamp{}
	}
	return lost
}
