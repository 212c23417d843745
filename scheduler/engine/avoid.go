package engine

import "slices"

// SolveAvoiding is Solve by somebody who would rather not use some nodes, since binds to them have failed lately, say. It
// uses them only where it places fewer pods without them, or others, so that somebody is left whom they would take. Whom Woken will name is decided by what Solve finds: nobody waits
// because of a node that is merely avoided.
func (e *Engine) SolveAvoiding(r Root, nodes []string) Decision {
	d := e.Solve(r)
	avoided := false
	var shunned []*node
	for _, name := range nodes {
		if id, ok := e.byName[name]; ok {
			shunned = append(shunned, e.nodes[id])
			avoided = avoided || d.uses(name)
		}
	}
	if !avoided {
		return d
	}
	e.begin()
	e.shun(shunned, true)
	e.hunting = true // nothing is remembered
	other := e.Solve(r)
	e.hunting = false
	e.shun(shunned, false)
	e.end()
	if other.Outcome != Placed || len(other.Placements) < len(d.Placements) || other.wanting() {
		return d
	}
	return other
}

// wanting: somebody is left who would take room. Of several shapes as many may be placed without the avoided nodes as with
// them, but others; and whoever is left then has room there, which nothing would wake them for.
func (d *Decision) wanting() bool {
	return slices.ContainsFunc(d.Left, func(l Leftover) bool { return !l.held })
}

func (d *Decision) uses(node string) bool {
	for i := range d.Placements {
		if d.Placements[i].Node == node {
			return true
		}
	}
	return false
}

// shun closes nodes, or opens them again, for the length of a trial.
func (e *Engine) shun(nodes []*node, yes bool) {
	for _, n := range nodes {
		n.shunned = yes
		e.touch(n)
	}
}
