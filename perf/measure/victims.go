package measure

import (
	"math"
	"math/bits"
	"slices"

	corev1 "k8s.io/api/core/v1"
	helpers "k8s.io/component-helpers/resource"
)

// bruteForce is how many different victims on one node are tried in every combination; beyond that the fewest victims are
// bounded from below.
const bruteForce = 12

// resourcesOf are the resources a pod asks for, sorted.
func resourcesOf(p *corev1.Pod) []corev1.ResourceName {
	var out []corev1.ResourceName
	for name, q := range helpers.PodRequests(p, helpers.PodResourcesOptions{}) {
		if q.Sign() > 0 {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// vectorOf is what a pod takes of the named resources, in counted amounts, and at the end of the number of pods.
func vectorOf(p *corev1.Pod, names []corev1.ResourceName) []int64 {
	all := helpers.PodRequests(p, helpers.PodResourcesOptions{})
	out := make([]int64, len(names)+1)
	for i, name := range names {
		out[i] = amountOf(all[name], string(name))
	}
	out[len(names)] = 1
	return out
}

func subtract(from, v []int64) {
	for i := range v {
		from[i] -= v[i]
	}
}

// fitting is how many copies of want fit into free.
func fitting(free, want []int64) int {
	n := int64(math.MaxInt32)
	for i, w := range want {
		if w > 0 {
			n = min(n, max(free[i], 0)/w)
		}
	}
	return int(n)
}

// fewestVictims is, for 0, 1, … up to limit copies of want, the fewest of the victims whose going makes room for them
// beside what is free already. exact is false where it is a lower bound.
func fewestVictims(free, want []int64, victims [][]int64, limit int) (costs []int, exact bool) {
	equal := true
	for _, v := range victims {
		equal = equal && slices.Equal(v, victims[0])
	}
	switch {
	case equal || len(victims) > bruteForce:
		costs = []int{0}
		for c := 1; c <= limit; c++ {
			k, ok := eachResource(free, want, victims, int64(c))
			if !ok {
				break
			}
			costs = append(costs, k)
		}
		return costs, equal
	default:
		best := slices.Repeat([]int{math.MaxInt}, limit+1)
		left := make([]int64, len(free))
		for set := range 1 << len(victims) {
			copy(left, free)
			for i, v := range victims {
				if set&(1<<i) != 0 {
					for j := range v {
						left[j] += v[j]
					}
				}
			}
			k := bits.OnesCount(uint(set))
			for c := min(fitting(left, want), limit); c >= 0 && k < best[c]; c-- {
				best[c] = k
			}
		}
		if i := slices.Index(best, math.MaxInt); i >= 0 {
			best = best[:i]
		}
		return best, true
	}
}

// eachResource is the fewest victims for c copies, each resource looked at by itself and the greatest taken: exact for
// equal victims, a lower bound for others.
func eachResource(free, want []int64, victims [][]int64, c int64) (k int, ok bool) {
	for i, w := range want {
		short := w*c - free[i]
		if w == 0 || short <= 0 {
			continue
		}
		sizes := make([]int64, len(victims))
		for j, v := range victims {
			sizes[j] = v[i]
		}
		slices.Sort(sizes)
		n := 0
		for _, s := range slices.Backward(sizes) {
			if short <= 0 {
				break
			}
			short -= s
			n++
		}
		if short > 0 {
			return 0, false
		}
		k = max(k, n)
	}
	return k, true
}

// cheapest is the least total of costs with which the sites together take at least total copies. ok is false where they
// cannot.
func cheapest(sites [][]int, total int) (least int, ok bool) {
	best := slices.Repeat([]int{math.MaxInt}, total+1)
	best[0] = 0
	for _, costs := range sites {
		for have := total; have >= 1; have-- {
			for c := 1; c < len(costs); c++ {
				from := max(have-c, 0)
				if best[from] != math.MaxInt {
					best[have] = min(best[have], best[from]+costs[c])
				}
			}
		}
	}
	return best[total], best[total] != math.MaxInt
}
