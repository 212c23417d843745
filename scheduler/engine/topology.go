package engine

// topologyKey is the domains that one node label makes.
type topologyKey struct {
	name   string
	values []string // by domain
	index  map[string]int32
	of     []int32 // domain by node, -1 for none
	at     []int32 // place in members by node
	// members are the nodes of each domain.
	members [][]int32
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
	k = &topologyKey{name: name, index: map[string]int32{}}
	k.grow(len(e.nodes))
	for _, n := range e.nodes {
		k.move(n, e.domainOf(k, n))
	}
	e.keys[name] = k
	return k
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
	if !n.exists || !ok {
		return noDomain
	}
	d, ok := k.index[v]
	if !ok {
		d = int32(len(k.values))
		k.index[v] = d
		k.values = append(k.values, v)
		k.members = append(k.members, nil)
	}
	return d
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
		k.members[old] = m[:len(m)-1]
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

// scope is where pods may be placed: everywhere, or in the domains chosen by the groups around them.
type scope struct {
	all   bool
	nodes []int32
	// key and domain are the last choice that led here, for saying so.
	key    *topologyKey
	domain int32
	fixed  []choice // all choices, outermost first
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
