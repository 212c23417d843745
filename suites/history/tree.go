package history

import "slices"

// Composite is the last incarnation of the named composite group; nil if there never was one.
func (v *View) Composite(name string) *Composite {
	return last(find(v, v.data.compositesByName, name))
}

// ChildrenOf are the gangs and composites (all incarnations) that name a composite as their parent, in order of
// creation. Whether they existed at the same time as the composite is not asked: children name a parent, not a UID.
func (v *View) ChildrenOf(c *Composite) (gangs []*Gang, composites []*Composite) {
	for _, g := range v.Gangs {
		if g.Namespace == c.Namespace && g.Parent == c.Name {
			gangs = append(gangs, g)
		}
	}
	for _, o := range v.Composites {
		if o.Namespace == c.Namespace && o.Parent == c.Name {
			composites = append(composites, o)
		}
	}
	return gangs, composites
}

// LeavesOf are all gangs below a composite, however deep. A cycle is walked once.
func (v *View) LeavesOf(c *Composite) []*Gang {
	var out []*Gang
	seen := map[string]bool{}
	var walk func(c *Composite)
	walk = func(c *Composite) {
		if seen[c.Name] {
			return
		}
		seen[c.Name] = true
		gangs, composites := v.ChildrenOf(c)
		out = append(out, gangs...)
		for _, o := range composites {
			walk(o)
		}
	}
	walk(c)
	return out
}

// PodsUnder are the members of all gangs below a composite.
func (v *View) PodsUnder(c *Composite) []*Pod {
	var out []*Pod
	seen := map[string]bool{}
	for _, g := range v.LeavesOf(c) {
		if !seen[g.Name] { // incarnations share their members
			seen[g.Name] = true
			out = append(out, v.MembersOf(g)...)
		}
	}
	return out
}

// AncestorsOf are the composites above a gang or composite that names the parent, from the parent to the root: of each
// the last incarnation. The chain ends where a composite never existed, and where it would run in a circle.
func (v *View) AncestorsOf(namespace, parent string) []*Composite {
	var out []*Composite
	for parent != "" {
		c := last(v.data.compositesByName[namespace+"/"+parent])
		if c == nil || slices.Contains(out, c) {
			break
		}
		out = append(out, c)
		parent = c.Parent
	}
	return out
}
