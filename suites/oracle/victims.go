package oracle

import (
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// Unit is a set of pods that stand on nodes and go together or not at all.
type Unit struct {
	Priority int32
	// Pods are among those of the question's nodes (the same pointers).
	Pods []*corev1.Pod
}

// Victims asks which units have to go so that at least Need of the question's pods fit.
type Victims struct {
	Question
	Need  int
	Units []Unit
}

// Cost is what a choice of victims costs: the highest priority among them counts most, then the number of units, then
// the number of pods. No victims at all cost nothing, whatever the priorities are.
type Cost struct {
	Priority int32
	Units    int
	Pods     int
}

// Less reports whether c is the lower cost.
func (c Cost) Less(o Cost) bool {
	if c.Units == 0 || o.Units == 0 {
		return c.Units == 0 && o.Units > 0
	}
	if c.Priority != o.Priority {
		return c.Priority < o.Priority
	}
	if c.Units != o.Units {
		return c.Units < o.Units
	}
	return c.Pods < o.Pods
}

// CostOf is the cost of a choice, given as indices of Units.
func (q Victims) CostOf(chosen []int) Cost {
	var c Cost
	for _, i := range chosen {
		if u := q.Units[i]; c.Units == 0 || u.Priority > c.Priority {
			c.Priority = u.Priority
		}
		c.Units++
		c.Pods += len(q.Units[i].Pods)
	}
	return c
}

// ErrNoVictims says that the pods do not fit even with all the units gone.
var ErrNoVictims = errors.New("the pods do not fit even with every unit gone")

// maxChoices bounds the choices that are looked at; each is a question about room.
const maxChoices = 1 << 13

// Fewest is a choice of least cost, as indices of Units. It is exact: choices are tried in order of their cost. The error
// is ErrNoVictims, or ErrTooBig for more units than can be tried, or says what could not be read.
func (q Victims) Fewest() ([]int, error) {
	s := &choice{q: q}
	if ok, err := s.fits(nil); err != nil || ok {
		return nil, err
	}
	levels := make([]int32, 0, len(q.Units))
	for _, u := range q.Units {
		levels = append(levels, u.Priority)
	}
	slices.Sort(levels)
	for _, level := range slices.Compact(levels) {
		best, err := s.upTo(level)
		if err != nil || best != nil {
			return best, err
		}
	}
	return nil, ErrNoVictims
}

// choice is a search for victims.
type choice struct {
	q     Victims
	tried int
}

// upTo is the cheapest choice whose highest priority is exactly level; nil: there is none.
func (s *choice) upTo(level int32) ([]int, error) {
	var allowed []int
	for i, u := range s.q.Units {
		if u.Priority <= level {
			allowed = append(allowed, i)
		}
	}
	if s.monotone() {
		// Taking pods away never takes room away, so what all of them do not achieve fewer cannot.
		if ok, err := s.fits(allowed); err != nil || !ok {
			return nil, err
		}
	}
	for size := 1; size <= len(allowed); size++ {
		var best []int
		err := combinations(allowed, size, func(chosen []int) error {
			c := s.q.CostOf(chosen)
			if c.Priority != level || best != nil && !c.Less(s.q.CostOf(best)) {
				return nil
			}
			ok, err := s.fits(chosen)
			if ok {
				best = slices.Clone(chosen)
			}
			return err
		})
		if err != nil || best != nil {
			return best, err
		}
	}
	return nil, nil
}

// monotone reports whether no pod asks for the company of others: then more victims never make less room.
func (s *choice) monotone() bool {
	return !slices.ContainsFunc(s.q.Pods, func(p *corev1.Pod) bool {
		affinity, _ := requiredTerms(p)
		return len(affinity) > 0 || len(p.Spec.TopologySpreadConstraints) > 0
	})
}

// fits reports whether the pods fit with the chosen units gone.
func (s *choice) fits(chosen []int) (bool, error) {
	if s.tried++; s.tried > maxChoices {
		return false, fmt.Errorf("choosing among %d units: %w", len(s.q.Units), ErrTooBig)
	}
	gone := map[*corev1.Pod]bool{}
	for _, i := range chosen {
		for _, p := range s.q.Units[i].Pods {
			gone[p] = true
		}
	}
	q := s.q.Question
	q.Nodes = slices.Clone(q.Nodes)
	for i := range q.Nodes {
		q.Nodes[i].Pods = slices.DeleteFunc(slices.Clone(q.Nodes[i].Pods), func(p *corev1.Pod) bool { return gone[p] })
	}
	return q.Feasible(s.q.Need)
}

// combinations calls f with every choice of size elements, in lexicographic order.
func combinations(from []int, size int, f func([]int) error) error {
	chosen := make([]int, 0, size)
	var walk func(next int) error
	walk = func(next int) error {
		if len(chosen) == size {
			return f(chosen)
		}
		for i := next; len(from)-i >= size-len(chosen); i++ {
			chosen = append(chosen, from[i])
			if err := walk(i + 1); err != nil {
				return err
			}
			chosen = chosen[:len(chosen)-1]
		}
		return nil
	}
	return walk(0)
}
