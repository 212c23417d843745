package engine

import (
	"cmp"
	"slices"
	"strings"
)

// add and remove keep the members of a PodGroup; check must see every state.
func (g *group) add(p *pod) {
	switch {
	case p.phase == pending || p.phase == gated:
		p.inGroup = int32(len(g.waiting))
		g.jumbled = g.jumbled || p.inGroup > 0 && older(p, g.waiting[p.inGroup-1]) < 0
		g.waiting = append(g.waiting, p)
	case p.node != noNode:
		p.inGroup = int32(len(g.settled))
		g.settled = append(g.settled, p)
		if p.phase == bound {
			g.bound++
		}
		if p.assumed {
			g.assumed++
		}
	default:
		g.others++
	}
	g.check()
}

func (g *group) remove(p *pod) {
	cut := func(list []*pod) []*pod {
		last := list[len(list)-1]
		list[p.inGroup], last.inGroup = last, p.inGroup
		list[len(list)-1] = nil
		return list[:len(list)-1]
	}
	switch {
	case p.phase == pending || p.phase == gated:
		g.jumbled = g.jumbled || int(p.inGroup) < len(g.waiting)-1
		g.waiting = cut(g.waiting)
	case p.node != noNode:
		g.settled = cut(g.settled)
		if p.phase == bound {
			g.bound--
		}
		if p.assumed {
			g.assumed--
		}
	default:
		g.others--
	}
}

// older orders pods by age, which the API tells in seconds, then by name: not in the order of events, of which a process
// that starts anew knows nothing. It has to choose the same victims as the one before.
func older(a, b *pod) int {
	if c := cmp.Compare(a.created, b.created); c != 0 {
		return c
	}
	return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Namespace, b.Namespace))
}

// order sorts the waiting members by age; most of the time they are sorted already.
func (g *group) order() {
	if !g.jumbled {
		return
	}
	slices.SortFunc(g.waiting, older)
	for i, p := range g.waiting {
		p.inGroup = int32(i)
	}
	g.jumbled = false
}

// check notes that the quorum was met. Assumed members do not count: their binds may fail.
func (g *group) check() {
	if g.kind == KindPodGroup && g.exists && g.assumed == 0 && len(g.settled) >= g.min {
		g.met = true
	}
}

// standing is how many members count towards the quorum without being placed: those alive, and once the quorum was met
// also the finished ones, so that a replacement near the end of the work is not stranded.
func (g *group) standing() int {
	if g.met {
		return len(g.settled)
	}
	return g.bound
}

// short is how many members must still be placed at the same time for the quorum.
func (g *group) short() int {
	if !g.gang {
		return 0
	}
	return max(0, g.min-g.standing()-g.ghosts)
}
