package engine

import "slices"

// topologyKey is the domains that one node label makes.
type topologyKey struct {
	name   string
	values []string // by domain
	index  map[string]int32
	of     []int32 // domain by node, -1 for none
	at     []int32 // place in members by node
	// members are the nodes of each domain.
	members [][]int32
	empty   []int32 // domains that became empty and may be given to another value
	// version counts changes of a known node's domain: sums made before it are void.
	version uint64
}

const noDomain = -1

// key is the domains of a label, built when a label is first asked about.
func (e *Engine) key(name string) *topologyKey {
	k := e.keys[name]
	if k != nil {
		return k
	}
	if len(e.keys) >= e.manyKeys {
		e.forgetKeys()
	}
	k = &topologyKey{name: name, index: map[string]int32{}}
	k.grow(len(e.nodes))
	for _, n := range e.nodes {
		k.move(n, e.domainOf(k, n))
	}
	e.keys[name] = k
	return k
}

// forgetKeys drops the labels that no group and no term asks about any more, and doubles the number at which that is
// looked at again.
func (e *Engine) forgetKeys() {
	used := map[*topologyKey]bool{}
	for _, g := range e.groups {
		used[e.keys[g.topology]] = true
	}
	for _, t := range e.terms {
		used[t.key] = true
	}
	for name, k := range e.keys {
		if !used[k] {
			delete(e.keys, name)
		}
	}
	for _, t := range e.tables {
		t.sums = slices.DeleteFunc(t.sums, func(s *domainSums) bool { return !used[s.key] })
	}
	e.cohorts.forget(used)
	e.manyKeys = max(64, 2*len(e.keys))
}

func (k *topologyKey) grow(nodes int) {
	for len(k.of) < nodes {
		k.of = append(k.of, noDomain)
		k.at = append(k.at, 0)
	}
}

// domainOf reads the label; a node that does not exist lies nowhere.
func (e *Engine) domainOf(k *topologyKey, n *node) int32 {
	v, ok := n.labels[k.name]
	if !n.exists || !ok && !e.opts.Fault.BlankDomain {
		return noDomain
	}
	d, ok := k.index[v] // v is empty for a fault alone
	if !ok {
		d = k.unused()
		k.index[v], k.values[d] = d, v
	}
	return d
}

// unused is the number of a domain without nodes: nodes come and go, each with its own host name.
func (k *topologyKey) unused() int32 {
	for len(k.empty) > 0 {
		d := k.empty[len(k.empty)-1]
		k.empty = k.empty[:len(k.empty)-1]
		if len(k.members[d]) == 0 && k.index[k.values[d]] == d {
			delete(k.index, k.values[d])
			return d
		}
	}
	k.values = append(k.values, "")
	k.members = append(k.members, nil)
	return int32(len(k.values) - 1)
}

// move puts a node into a domain.
func (k *topologyKey) move(n *node, d int32) {
	old := k.of[n.id]
	if old == d {
		return
	}
	if old != noDomain {
		m := k.members[old]
		last := m[len(m)-1]
		m[k.at[n.id]] = last
		k.at[last] = k.at[n.id]
		if k.members[old] = m[:len(m)-1]; len(m) == 1 {
			k.empty = append(k.empty, old)
		}
	}
	k.of[n.id] = d
	if d != noDomain {
		k.at[n.id] = int32(len(k.members[d]))
		k.members[d] = append(k.members[d], n.id)
	}
}

// redomain follows a change of a node's labels or existence. A node that tables may know to have room (known) makes their
// sums void; for one that is new, updates do.
func (e *Engine) redomain(n *node, known bool) {
	for _, k := range e.keys {
		old, now := k.of[n.id], e.domainOf(k, n)
		if old == now {
			continue
		}
		k.move(n, now)
		if known {
			k.version++
			e.waiting.moved = true
		}
		for _, t := range e.terms {
			if t.key == k {
				t.moved(n.id, old, now)
			}
		}
	}
}

// first reports whether a domain is the first by name of those that have nodes.
func (k *topologyKey) first(d int32) bool {
	for i, v := range k.values {
		if len(k.members[i]) > 0 && v < k.values[d] {
			return false
		}
	}
	return true
}

// scope is where pods may be placed: everywhere, or in the domains chosen by the groups around them.
type scope struct {
	all   bool
	nodes []int32
	// key and domain are the last choice that led here, for saying so.
	key    *topologyKey
	domain int32
	fixed  []choice // all choices, outermost first
	// narrowed: nodes are fewer than the choices leave, because claims have devices that only these reach.
	narrowed bool
}

type choice struct {
	key    *topologyKey
	domain int32
}

var everywhere = scope{all: true, domain: noDomain}

// within narrows a scope to one domain.
func (s scope) within(k *topologyKey, d int32) scope {
	out := scope{key: k, domain: d, fixed: append(s.fixed[:len(s.fixed):len(s.fixed)], choice{k, d})}
	if s.all {
		out.nodes = k.members[d]
		return out
	}
	for _, id := range s.nodes {
		if k.of[id] == d {
			out.nodes = append(out.nodes, id)
		}
	}
	return out
}

// holds reports whether a node lies in the scope.
func (s scope) holds(id int32) bool {
	for _, c := range s.fixed {
		if c.key.of[id] != c.domain {
			return false
		}
	}
	return true
}
