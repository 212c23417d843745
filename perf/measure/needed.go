package measure

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"muster/suites/history"
	"muster/suites/oracle"
)

// Why the fewest victims may not be known.
var (
	errNobodyPlaced = errors.New("nothing that waited for the evicted pods' room was placed")
	errMixed        = errors.New("the gangs and pods that waited for room are of different shapes")
	errDomains      = errors.New("several gangs that waited for room are each confined to a domain")
	errNoRoom       = errors.New("not even evicting everything of lower priority would have made room")
)

// needed is the fewest pods that had to be evicted at a place, for the quorums of all claimants that were placed later to
// fit. exact is false where it is a lower bound.
func needed(v *history.View, at history.Stamp, claimants []claimant) (n int, exact bool, err error) {
	claimants = slices.DeleteFunc(slices.Clone(claimants), func(c claimant) bool { return c.ready.IsZero() || len(c.members) == 0 })
	if len(claimants) == 0 {
		return 0, false, errNobodyPlaced
	}
	shape, key, total := claimants[0].members[0].First, "", 0
	priority := claimants[0].priority
	for _, c := range claimants {
		for _, p := range c.members {
			if !alike(p.First, shape) {
				return 0, false, errMixed
			}
		}
		if c.gang != nil && c.gang.TopologyKey != "" {
			key = c.gang.TopologyKey
		}
		total += c.quorum
		// A lower claimant may not evict all that a higher one may: what the highest may evict bounds it from below.
		priority = max(priority, c.priority)
	}
	if key != "" && len(claimants) > 1 {
		return 0, false, errDomains
	}
	nodes, exact := sitesAt(v, at, shape, priority, total)
	for _, c := range claimants {
		exact = exact && c.priority == priority
	}
	best := -1
	for _, domain := range byDomain(nodes, key) {
		costs := make([][]int, 0, len(domain))
		for _, s := range domain {
			costs = append(costs, s.costs)
		}
		if k, ok := cheapest(costs, total); ok && (best < 0 || k < best) {
			best = k
		}
	}
	if best < 0 {
		return 0, false, errNoRoom
	}
	return best, exact, nil
}

// evictSite is a node with the fewest evictions on it that make room for 1, 2, … copies of the shape.
type evictSite struct {
	node  *corev1.Node
	costs []int // costs[c] for c copies; costs[0] is 0
}

// sitesAt are the nodes that can take at least one copy; exact is false where something was only bounded.
func sitesAt(v *history.View, at history.Stamp, shape *corev1.Pod, priority int32, most int) (sites []evictSite, exact bool) {
	exact = !hasPodRules(shape)
	fixed, loose := map[string][]*history.Pod{}, map[string][]*history.Pod{}
	for _, p := range v.Pods {
		if !p.Bound.Before(at) || freed(p).Before(at) {
			continue
		}
		if p.Priority < priority {
			loose[p.Node] = append(loose[p.Node], p)
		} else {
			fixed[p.Node] = append(fixed[p.Node], p)
		}
	}
	for _, g := range v.Gangs {
		exact = exact && !g.DisruptAll // its members go together or not at all
	}
	for _, n := range v.Nodes {
		form, ok := history.ValueAt(n.Object, at)
		if !ok || n.Gone.Before(at) {
			continue
		}
		costs, sure, err := nodeCosts(form, fixed[n.Name], loose[n.Name], shape, most)
		exact = exact && sure && err == nil
		if len(costs) > 1 {
			sites = append(sites, evictSite{form, costs})
		}
	}
	return sites, exact
}

// nodeCosts is the fewest evictions on a node for each number of copies it could take, up to most.
func nodeCosts(n *corev1.Node, fixed, loose []*history.Pod, shape *corev1.Pod, most int) (costs []int, exact bool, err error) {
	names := resourcesOf(shape)
	want := vectorOf(shape, names)
	free := make([]int64, len(names)+1)
	for i, name := range names {
		free[i] = has(n, string(name))
	}
	free[len(names)] = n.Status.Allocatable.Pods().Value()
	for _, p := range fixed {
		subtract(free, vectorOf(p.First, names))
	}
	empty := min(fitting(free, want), most)
	if empty == 0 {
		return nil, true, nil
	}
	// The oracle knows about taints, selectors and ports; the arithmetic only about amounts.
	copies := slices.Repeat([]*corev1.Pod{shape}, empty)
	limit, err := oracle.MaxPlaced([]oracle.Node{oracle.NodeOf(n, forms(fixed)...)}, copies)
	if err != nil {
		return nil, false, fmt.Errorf("counting what fits node %s: %w", n.Name, err)
	}
	full := slices.Clone(free)
	victims := make([][]int64, len(loose))
	for i, p := range loose {
		victims[i] = vectorOf(p.First, names)
		subtract(full, victims[i])
	}
	now, err := oracle.MaxPlaced([]oracle.Node{oracle.NodeOf(n, append(forms(fixed), forms(loose)...)...)}, copies)
	if err != nil {
		return nil, false, fmt.Errorf("counting what fits node %s: %w", n.Name, err)
	}
	costs, exact = fewestVictims(full, want, victims, limit)
	return costs, exact && now == min(fitting(full, want), limit), nil
}

// byDomain splits nodes by a label; without a key they are one domain.
func byDomain(sites []evictSite, key string) [][]evictSite {
	if key == "" {
		return [][]evictSite{sites}
	}
	domains := map[string][]evictSite{}
	for _, s := range sites {
		if value, ok := s.node.Labels[key]; ok {
			domains[value] = append(domains[value], s)
		}
	}
	var out [][]evictSite
	for _, value := range slices.Sorted(maps.Keys(domains)) {
		out = append(out, domains[value])
	}
	return out
}

// alike reports whether two pods ask for the same of a node.
func alike(a, b *corev1.Pod) bool {
	return a == b || equality.Semantic.DeepEqual(vectorOf(a, resourcesOf(a)), vectorOf(b, resourcesOf(a))) &&
		slices.Equal(resourcesOf(a), resourcesOf(b)) &&
		equality.Semantic.DeepEqual(a.Spec.NodeSelector, b.Spec.NodeSelector) &&
		equality.Semantic.DeepEqual(a.Spec.Tolerations, b.Spec.Tolerations) &&
		equality.Semantic.DeepEqual(a.Spec.Affinity, b.Spec.Affinity) &&
		equality.Semantic.DeepEqual(a.Spec.TopologySpreadConstraints, b.Spec.TopologySpreadConstraints)
}

func hasPodRules(p *corev1.Pod) bool {
	a := p.Spec.Affinity
	return len(p.Spec.TopologySpreadConstraints) > 0 || a != nil && (a.PodAffinity != nil || a.PodAntiAffinity != nil)
}

func forms(pods []*history.Pod) []*corev1.Pod {
	out := make([]*corev1.Pod, len(pods))
	for i, p := range pods {
		out[i] = p.First
	}
	return out
}
