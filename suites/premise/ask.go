package premise

import (
	"sort"

	corev1 "k8s.io/api/core/v1"

	"muster/suites/history"
	"muster/suites/oracle"
)

// Asked are pods that a question is about, with their kinds, to be asked about again in other states.
type Asked struct {
	pods []*history.Pod
	// counts are how many there are of each kind; nil where some cannot be counted node by node.
	counts map[*Kind]int
	only   *Kind // where they are all of one kind
	gang   string
}

// Asked prepares a question about pods, none of which has a node yet.
func (r *Rooms) Asked(pods []*history.Pod, kinds []*Kind) Asked {
	a := Asked{pods: pods, counts: make(map[*Kind]int, 1), gang: gangOf(pods)}
	for _, k := range kinds {
		if k == nil {
			return Asked{pods: pods}
		}
		a.counts[k]++
	}
	if len(a.counts) == 1 {
		a.only = kinds[0]
	}
	return a
}

// AskedOf is Asked for pods whose kinds are not known yet.
func (r *Rooms) AskedOf(pods []*history.Pod) Asked {
	kinds := make([]*Kind, len(pods))
	for i, p := range pods {
		kinds[i] = r.KindOf(p)
	}
	return r.Asked(pods, kinds)
}

// Impossible is ImpossibleIn for the state seen last. It may know where ImpossibleIn finds the question too big.
func (r *Rooms) Impossible(a Asked, n int) (bool, error) {
	if n <= 0 {
		return false, nil
	}
	if n > len(a.pods) {
		return true, nil
	}
	most, exact := r.bound(a)
	switch {
	case most < n:
		return true, nil
	case exact:
		return false, nil
	}
	if r.amongFew(a, n) {
		return false, nil
	}
	return ImpossibleIn(r.state, a.pods, n)
}

// amongFew reports whether n of the pods can be placed on some nodes that look good, which spares asking about all of
// them. Where pods have no rules about each other, what some nodes take all of them take.
func (r *Rooms) amongFew(a Asked, n int) bool {
	if a.counts == nil || len(r.bars) > 0 {
		return false
	}
	if g := r.state.Gangs[a.gang]; g != nil && g.TopologyKey != "" {
		return false
	}
	q := oracle.Question{}
	for _, p := range a.pods {
		q.Pods = append(q.Pods, specOf(p))
	}
	found := make(map[*Kind]int, len(a.counts))
	for _, p := range r.order {
		good := false
		for k, count := range a.counts {
			if fits := k.fits[p]; fits > 0 && found[k] < 2*count {
				found[k] += fits
				good = true
			}
		}
		if good {
			q.Nodes = append(q.Nodes, oracle.NodeOf(p.node, r.standing.On(p.name)...))
		}
	}
	ok, err := q.Feasible(n)
	return err == nil && ok
}

// Most is the greatest number up to limit of the pods that can be placed in the state seen last. Where one more can, so can
// all fewer, so halving finds it.
func (r *Rooms) Most(a Asked, limit int) int {
	if most, exact := r.bound(a); exact {
		return max(0, min(most, limit))
	}
	return sort.Search(limit, func(n int) bool {
		impossible, err := ImpossibleIn(r.state, a.pods, n+1)
		return err != nil || impossible
	})
}

// bound is a number of the pods that is never exceeded, and whether so many can be placed.
func (r *Rooms) bound(a Asked) (most int, exact bool) {
	most = len(a.pods)
	if a.counts == nil || len(r.bars) > 0 {
		return most, false
	}
	for k := range a.counts {
		if !k.update() {
			return most, false
		}
	}
	if g := r.state.Gangs[a.gang]; g != nil && g.TopologyKey != "" {
		return min(most, r.inOneDomain(a, g)), a.only != nil
	}
	if a.only != nil {
		return min(most, a.only.sum), true
	}
	sum := 0
	for k, count := range a.counts {
		sum += min(count, k.sum)
	}
	return min(most, sum), false
}

// inOneDomain is bound for pods that have to stand in one domain.
func (r *Rooms) inOneDomain(a Asked, g *history.GangState) (most int) {
	asked := make(map[string]bool, len(a.pods))
	for _, p := range a.pods {
		asked[p.UID] = true
	}
	fixed := domainOf(r.state, g, asked)
	sums := map[string]map[*Kind]int{}
	for k := range a.counts {
		for p, n := range k.fits {
			domain, ok := labelOf(p.node, g.TopologyKey)
			if !ok || fixed != "" && domain != fixed {
				continue
			}
			if sums[domain] == nil {
				sums[domain] = make(map[*Kind]int, len(a.counts))
			}
			sums[domain][k] += n
		}
	}
	for _, by := range sums {
		sum := 0
		for k, n := range by {
			sum += min(a.counts[k], n)
		}
		most = max(most, sum)
	}
	return most
}

func labelOf(n *corev1.Node, key string) (string, bool) {
	if n == nil {
		return "", false
	}
	v, ok := n.Labels[key]
	return v, ok
}
