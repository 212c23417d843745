package engine

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
	// AllVictims: everybody of lower priority is evicted, not only as many as needed.
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
