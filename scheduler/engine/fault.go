package engine

import "slices"

// Fault makes an engine decide wrongly, each field in one way. It exists so that a conformance suite can be shown to notice
// (package mutant); the zero value is an engine without fault, and costs one test of a bool where a fault would show.
type Fault struct {
	// PartialFit: the members of a gang are waited for, but its quorum need not fit: it is placed as far as there is room.
	PartialFit bool
	// PodPriority: a member of a group is as easily a victim as its own priority says, not the group's.
	PodPriority bool
	// EqualVictims: pods and groups of the preemptor's own priority are victims, too.
	EqualVictims bool
	// InVain: everybody of lower priority is evicted although the preemptor would not fit even then.
	InVain bool
	// AllVictims: beside those that have to go everybody in the namespace of the preemptor goes who is no more important than
	// they are and whom no budget protects.
	AllVictims bool
	// TopVictims: units of higher priority are taken for victims before those of lower.
	TopVictims bool
	// StaysApart: a group with a topology constraint is not held to the domain in which its members stand.
	StaysApart bool
	// Leaves reports of a member that has a node whether its group is placed anywhere but in that member's domain; nil for
	// never.
	Leaves func(PodRef) bool
	// FirstDomain: of the domains of a constraint only one is ever tried, the first by name, full or not.
	FirstDomain bool
	// BlankDomain: nodes without the label of a constraint are taken for one more domain.
	BlankDomain bool
	// Ghosts: waiting members of a gang that were deleted go on counting toward its quorum.
	Ghosts bool
	// Quadratic: the room of all domains is asked for anew for each of them. The answers are right, and late.
	Quadratic bool
}

// required is how many of the members must fit at once.
func (f *Fault) required(need int) int {
	if f.PartialFit {
		return min(need, 1)
	}
	return need
}

// protects reports whether a unit's priority keeps it from being a victim of a preemptor.
func (f *Fault) protects(unit, preemptor int32) bool {
	if f.EqualVictims {
		return unit > preemptor
	}
	return unit >= preemptor
}

// leaves reports whether a group is not to be placed in the domain of its members.
func (f *Fault) leaves(e *Engine, g *group) bool {
	if f.Leaves == nil {
		return false
	}
	found := false
	e.walk(g, 0, func(c *group) {
		for _, p := range c.settled {
			found = found || f.Leaves(PodRef{Key: p.Key, UID: p.uid})
		}
	})
	return found
}

// withBystanders are the units that have to go, and with them whoever else is in the namespace, is no more important and is
// not protected by a budget.
func withBystanders(chosen, units []*unit, namespace string) []*unit {
	most := costOf(chosen).Priority
	out := slices.Clone(chosen)
	for _, u := range units {
		if u.priority <= most && len(u.charged) == 0 && u.pods[0].Namespace == namespace && !slices.Contains(chosen, u) {
			out = append(out, u)
		}
	}
	return out
}
