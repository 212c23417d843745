package oracle

import "slices"

// maxPlaced finds the greatest number of pods that fit, stopping early once target is reached. Questions whose nodes (or
// domains of one key) do not influence each other are counted; the others are searched.
func (p *problem) maxPlaced(b *budget, target int) (int, error) {
	total := 0
	for _, s := range p.shapes {
		total += s.count
	}
	target = min(target, total)
	if target == 0 {
		return 0, nil
	}
	conflicts, key, independent := p.conflicts()
	if !independent {
		return p.search(b, target)
	}
	caps := make(vector, len(p.shapes))
	for i, s := range p.shapes {
		caps[i] = s.count
	}
	f := newFrontier(caps)
	for _, cell := range p.cells(key) {
		part, err := p.cellFrontier(b, cell, conflicts, caps)
		if err != nil {
			return 0, err
		}
		for range cell.times {
			changed, err := f.fold(b, part)
			if err != nil {
				return 0, err
			}
			if best := f.best(); best >= target {
				return best, nil
			}
			if !changed { // the same again cannot change it either
				break
			}
		}
	}
	return f.best(), nil
}

// conflicts says which shapes may not share a domain of the one topology key that anti-affinity among the pods to be
// placed uses (none: empty key). independent is false where the rules tie domains together.
func (p *problem) conflicts() (m [][]bool, key string, independent bool) {
	m = make([][]bool, len(p.shapes))
	for i := range m {
		m[i] = make([]bool, len(p.shapes))
	}
	for i, s := range p.shapes {
		if len(s.affinity)+len(s.spreads) > 0 {
			return nil, "", false
		}
		for _, t := range s.anti {
			for j, o := range p.shapes {
				if !t.matches(o.pod) || i == j && s.count == 1 {
					continue
				}
				if key != "" && key != t.key {
					return nil, "", false
				}
				key = t.key
				m[i][j], m[j][i] = true, true
			}
		}
	}
	return m, key, true
}

// cell is a set of sites that is filled as one: the nodes of a domain of the conflict key, or equal nodes that no
// conflict reaches. times says how many equal cells there are.
type cell struct {
	sites      []*site
	times      int
	conflicted bool
}

// cells divides the sites. Equal ones are kept once, with their number.
func (p *problem) cells(key string) []*cell {
	var order []string
	byKey := map[string]*cell{}
	add := func(k string, c *cell) {
		if have := byKey[k]; have != nil {
			have.times++
			return
		}
		c.times = 1
		byKey[k] = c
		order = append(order, k)
	}
	domains := map[string][]*site{}
	var values []string
	for _, s := range p.sites {
		if !slices.Contains(s.allowed, true) {
			continue
		}
		v, in := s.node.Labels[key]
		if key == "" || !in {
			add("free "+s.class(), &cell{sites: []*site{s}})
			continue
		}
		if domains[v] == nil {
			values = append(values, v)
		}
		domains[v] = append(domains[v], s)
	}
	for _, v := range values {
		k := "domain"
		classes := make([]string, 0, len(domains[v]))
		for _, s := range domains[v] {
			classes = append(classes, s.class())
		}
		slices.Sort(classes)
		for _, c := range classes {
			k += " " + c
		}
		add(k, &cell{sites: domains[v], conflicted: true})
	}
	out := make([]*cell, len(order))
	for i, k := range order {
		out[i] = byKey[k]
	}
	return out
}

// cellFrontier is what one cell can take.
func (p *problem) cellFrontier(b *budget, c *cell, conflicts [][]bool, caps vector) (*frontier, error) {
	if !c.conflicted {
		return p.fill(b, c.sites, caps)
	}
	out := newFrontier(caps)
	err := independentSets(conflicts, func(in []bool) error {
		limited := slices.Clone(caps)
		for i := range limited {
			if !in[i] {
				limited[i] = 0
			} else if conflicts[i][i] {
				limited[i] = min(limited[i], 1)
			}
		}
		f, err := p.fill(b, c.sites, limited)
		if err != nil {
			return err
		}
		return out.join(b, f)
	})
	return out, err
}

// independentSets calls f with every set of shapes no two of which conflict. A shape that conflicts with itself may be
// in the set; one copy of it is then the limit.
func independentSets(conflicts [][]bool, f func(in []bool) error) error {
	in := make([]bool, len(conflicts))
	var walk func(i int) error
	walk = func(i int) error {
		if i == len(in) {
			return f(in)
		}
		free := true
		for j := range i {
			free = free && !(in[j] && conflicts[i][j])
		}
		if free {
			in[i] = true
			if err := walk(i + 1); err != nil {
				return err
			}
			in[i] = false
		}
		return walk(i + 1)
	}
	return walk(0)
}

// fill is what these sites can take together when nothing but each node's own limits binds.
func (p *problem) fill(b *budget, sites []*site, caps vector) (*frontier, error) {
	f := newFrontier(caps)
	for _, s := range sites {
		part, err := p.siteFrontier(b, s, caps)
		if err != nil {
			return nil, err
		}
		if _, err := f.fold(b, part); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// siteFrontier is what one node can take: resources, number of pods, host ports.
func (p *problem) siteFrontier(b *budget, s *site, caps vector) (*frontier, error) {
	f := newFrontier(caps)
	free, count := slices.Clone(s.free), make(vector, len(p.shapes))
	var walk func(i, pods int) error
	walk = func(i, pods int) error {
		if err := b.spend(1); err != nil {
			return err
		}
		if i == len(p.shapes) {
			return f.add(b, slices.Clone(count))
		}
		for n := p.copies(s, i, free, pods, count, caps[i]); n >= 0; n-- {
			count[i] = n
			p.take(free, i, n)
			err := walk(i+1, pods-n)
			p.take(free, i, -n)
			count[i] = 0
			if err != nil {
				return err
			}
			if i == len(p.shapes)-1 { // fewer of the last shape is never better
				break
			}
		}
		return nil
	}
	return f, walk(0, s.freePods)
}

// copies is how many of shape i fit beside what count says is there.
func (p *problem) copies(s *site, i int, free []int64, pods int, count vector, limit int) int {
	sh := p.shapes[i]
	if !s.allowed[i] {
		return 0
	}
	for j, n := range count {
		if n > 0 && j != i && clash(sh.ports, p.shapes[j].ports) {
			return 0
		}
	}
	n := max(0, min(limit, pods))
	if len(sh.ports) > 0 {
		n = min(n, 1)
	}
	for r, want := range sh.requests {
		if want > 0 {
			n = min(n, max(0, int(free[r]/want)))
		}
	}
	return n
}

func (p *problem) take(free []int64, i, n int) {
	for r, want := range p.shapes[i].requests {
		free[r] -= want * int64(n)
	}
}
