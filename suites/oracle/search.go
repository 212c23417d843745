package oracle

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// search answers questions whose rules look across domains: required pod affinity, topology spread, anti-affinity over
// several keys. It walks placement sequences depth first. Where the same pods have come to stand in the same way before,
// by whatever order, it turns back; nodes that are interchangeable are tried once.
type search struct {
	*problem
	b       *budget
	target  int
	best    int
	left    []int   // copies of each shape not placed yet
	count   [][]int // copies by site and shape
	free    [][]int64
	pods    []int // free pod slots by site
	classes []string
	seen    map[string]bool
	// around[i][c] are the sites that count for spread constraint c of shape i.
	around [][][]bool
}

func (p *problem) search(b *budget, target int) (int, error) {
	s := &search{problem: p, b: b, target: target, seen: map[string]bool{}}
	for _, sh := range p.shapes {
		s.left = append(s.left, sh.count)
	}
	for _, st := range p.sites {
		s.count = append(s.count, make([]int, len(p.shapes)))
		s.free = append(s.free, slices.Clone(st.free))
		s.pods = append(s.pods, st.freePods)
	}
	s.around = p.spreadReach()
	s.classes = p.symmetry()
	err := s.step(0)
	return s.best, err
}

func (s *search) step(placed int) error {
	s.best = max(s.best, placed)
	if s.best >= s.target {
		return nil
	}
	key := s.key()
	if s.seen[key] {
		return nil
	}
	s.seen[key] = true
	for i := range s.shapes {
		if s.left[i] == 0 {
			continue
		}
		tried := map[string]bool{}
		for n := range s.sites {
			twin := s.siteKey(n)
			if tried[twin] {
				continue
			}
			tried[twin] = true
			if err := s.b.spend(1 + len(s.sites)/8); err != nil {
				return err
			}
			if !s.legal(n, i) {
				continue
			}
			s.put(n, i, 1)
			err := s.step(placed + 1)
			s.put(n, i, -1)
			if err != nil || s.best >= s.target {
				return err
			}
		}
	}
	return nil
}

func (s *search) put(n, i, by int) {
	s.left[i] -= by
	s.count[n][i] += by
	s.pods[n] -= by
	s.take(s.free[n], i, by)
}

func (s *search) siteKey(n int) string { return s.classes[n] + fmt.Sprint(s.count[n]) }

// key is the state up to exchange of interchangeable nodes.
func (s *search) key() string {
	keys := make([]string, 0, len(s.sites))
	for n := range s.sites {
		if slices.ContainsFunc(s.count[n], func(c int) bool { return c > 0 }) {
			keys = append(keys, s.siteKey(n))
		}
	}
	slices.Sort(keys)
	return strings.Join(keys, "|")
}

// legal reports whether a copy of shape i may be placed on site n now.
func (s *search) legal(n, i int) bool {
	return s.copies(s.sites[n], i, s.free[n], s.pods[n], s.count[n], s.left[i]) > 0 && s.portFree(n, i) &&
		s.apart(n, i) && s.together(n, i) && s.even(n, i)
}

// portFree rules out a second copy of a shape with host ports.
func (s *search) portFree(n, i int) bool { return len(s.shapes[i].ports) == 0 || s.count[n][i] == 0 }

// sameDomain reports whether sites a and b share a value of the key.
func (s *search) sameDomain(a, b int, key string) bool {
	x, ok := s.sites[a].node.Labels[key]
	y, also := s.sites[b].node.Labels[key]
	return ok && also && x == y
}

// apart: anti-affinity, in both directions, against what the search has placed (the pods placed before are in allowed).
func (s *search) apart(n, i int) bool {
	for m := range s.sites {
		for j, c := range s.count[m] {
			if c == 0 {
				continue
			}
			for _, t := range s.shapes[i].anti {
				if t.matches(s.shapes[j].pod) && s.sameDomain(n, m, t.key) {
					return false
				}
			}
			for _, t := range s.shapes[j].anti {
				if t.matches(s.shapes[i].pod) && s.sameDomain(n, m, t.key) {
					return false
				}
			}
		}
	}
	return true
}

// together: required affinity. For each term a pod that matches all terms must stand in the same domain; where no such
// pod stands in any domain, one that matches itself may be the first.
func (s *search) together(n, i int) bool {
	sh := s.shapes[i]
	if len(sh.affinity) == 0 {
		return true
	}
	near, anywhere := make([]bool, len(sh.affinity)), false
	for _, t := range sh.affinity {
		if _, ok := s.sites[n].node.Labels[t.key]; !ok {
			return false
		}
	}
	for m := range s.sites {
		if !s.hosts(m, sh.affinity) {
			continue
		}
		for k, t := range sh.affinity {
			if _, ok := s.sites[m].node.Labels[t.key]; ok {
				anywhere = true
				near[k] = near[k] || s.sameDomain(n, m, t.key)
			}
		}
	}
	return !slices.Contains(near, false) || !anywhere && sh.selfAffine
}

// hosts reports whether a pod that matches all the terms stands on site m.
func (s *search) hosts(m int, terms []term) bool {
	for j, c := range s.count[m] {
		if c > 0 && matchesAll(terms, s.shapes[j].pod) {
			return true
		}
	}
	return slices.ContainsFunc(s.sites[m].placed, func(e *corev1.Pod) bool { return matchesAll(terms, e) })
}

// even: DoNotSchedule topology spread.
func (s *search) even(n, i int) bool {
	sh := s.shapes[i]
	for c, sp := range sh.spreads {
		here, ok := s.sites[n].node.Labels[sp.key]
		if !ok {
			return false
		}
		byDomain := map[string]int{}
		for m, st := range s.sites {
			if !s.around[i][c][m] {
				continue
			}
			num := 0
			for j, k := range s.count[m] {
				if k > 0 && sp.counts(s.shapes[j].pod, sh.pod.Namespace) {
					num += k
				}
			}
			for _, e := range st.placed {
				if sp.counts(e, sh.pod.Namespace) {
					num++
				}
			}
			byDomain[st.node.Labels[sp.key]] += num
		}
		least := -1
		for _, num := range byDomain {
			if least < 0 || num < least {
				least = num
			}
		}
		if least < 0 || len(byDomain) < sp.minDomains {
			least = 0
		}
		self := 0
		if sp.selects(sh.pod) {
			self = 1
		}
		if byDomain[here]+self-least > sp.maxSkew {
			return false
		}
	}
	return true
}
