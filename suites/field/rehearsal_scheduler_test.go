package field

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"muster/suites/history"
)

// toy is a scheduler for rehearsals: it looks at a state and says which pods it binds. complete says whether the
// Workload a gang refers to exists.
type toy func(s *history.State, complete func(gang string) bool) []bind

type bind struct{ pod, node string }

// conforming binds a gang when its quorum fits, as many members as fit, and plain pods as they come.
func conforming(s *history.State, _ func(string) bool) []bind {
	return byUnit(s, func(g *history.GangState) int { return int(g.Quorum) })
}

// ignorant knows no gangs.
func ignorant(s *history.State, _ func(string) bool) []bind {
	out, _ := place(s, freeNodes(s), waiting(s, func(*history.PodState) bool { return true }), fits)
	return out
}

// dead binds nothing.
func dead(*history.State, func(string) bool) []bind { return nil }

// adding asks whether a gang fits all nodes together, and then binds it wherever something is free.
func adding(s *history.State, _ func(string) bool) []bind {
	free := freeNodes(s)
	sum := corev1.ResourceList{}
	for _, f := range free {
		plus(sum, f)
	}
	out, _ := place(s, map[string]corev1.ResourceList{slices.Min(slices.Collect(maps.Keys(free))): sum},
		waiting(s, func(*history.PodState) bool { return true }), fits)
	return out
}

// reserving keeps a pool for a gang that waits in it.
func reserving(s *history.State, _ func(string) bool) []bind {
	binds := conforming(s, nil)
	if len(binds) == 0 || len(waiting(s, func(p *history.PodState) bool { return p.Gang != "" })) == 0 {
		return binds
	}
	return slices.DeleteFunc(binds, func(b bind) bool { return strings.HasPrefix(b.pod, "single") })
}

// forgetful goes by the first quorum it saw of a gang.
func forgetful(s *history.State, _ func(string) bool) []bind {
	return byUnit(s, func(g *history.GangState) int { return int(g.Gang.Quorum[0].Value) })
}

// planning waits for the Workload a gang refers to.
func planning(s *history.State, complete func(string) bool) []bind {
	return byUnit(s, func(g *history.GangState) int {
		if !complete(g.Name) {
			return 1 << 20
		}
		return int(g.Quorum)
	})
}

// byUnit tries the gangs in order of creation and then the plain pods, each against what the ones before have left.
func byUnit(s *history.State, quorum func(*history.GangState) int) []bind {
	free := freeNodes(s)
	gangs := slices.SortedFunc(maps.Values(s.Gangs), func(a, b *history.GangState) int { return int(a.Created.Order - b.Created.Order) })
	var out []bind
	for _, g := range gangs {
		need := quorum(g)
		for _, p := range s.Pods {
			if p.Gang == g.Name && p.NodeName != "" {
				need--
			}
		}
		binds, left := place(s, free, waiting(s, func(p *history.PodState) bool { return p.Gang == g.Name }), fits)
		if len(binds) > 0 && len(binds) >= need {
			out, free = append(out, binds...), left
		}
	}
	binds, _ := place(s, free, waiting(s, func(p *history.PodState) bool { return p.Gang == "" }), fits)
	return append(out, binds...)
}

// waiting are the unbound pods that are meant, in order of creation.
func waiting(s *history.State, meant func(*history.PodState) bool) []*history.PodState {
	var out []*history.PodState
	for _, p := range s.Pods {
		if p.NodeName == "" && meant(p) {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b *history.PodState) int { return int(a.Created.Order - b.Created.Order) })
	return out
}

// place puts each pod on the first node, by name, that takes it; it returns what is then left.
func place(s *history.State, free map[string]corev1.ResourceList, pods []*history.PodState, ok func(*history.PodState, *corev1.Node) bool) ([]bind, map[string]corev1.ResourceList) {
	left := map[string]corev1.ResourceList{}
	for n, f := range free {
		left[n] = maps.Clone(f)
	}
	var out []bind
	for _, p := range pods {
		for _, n := range slices.Sorted(maps.Keys(left)) {
			if ok(p, s.Nodes[n]) && take(left[n], requests(p.Now)) {
				out = append(out, bind{p.Name, n})
				break
			}
		}
	}
	return out, left
}

// fits looks at labels and taints; room is taken care of by take.
func fits(p *history.PodState, n *corev1.Node) bool {
	for k, v := range p.Now.Spec.NodeSelector {
		if n.Labels[k] != v {
			return false
		}
	}
	return !slices.ContainsFunc(n.Spec.Taints, func(t corev1.Taint) bool {
		return !slices.ContainsFunc(p.Now.Spec.Tolerations, func(o corev1.Toleration) bool { return o.Key == t.Key })
	})
}

func freeNodes(s *history.State) map[string]corev1.ResourceList {
	out := map[string]corev1.ResourceList{}
	for n := range s.Nodes {
		out[n] = freeOn(s, n)
	}
	return out
}

func freeOn(s *history.State, node string) corev1.ResourceList {
	free := s.Nodes[node].Status.Allocatable.DeepCopy()
	for _, p := range s.Pods {
		if p.NodeName == node {
			minus(free, requests(p.Now))
		}
	}
	return free
}

// take takes what is asked for out of what is free, if it is there.
func take(free, asked corev1.ResourceList) bool {
	for name, q := range asked {
		if have := free[name]; have.Cmp(q) < 0 {
			return false
		}
	}
	minus(free, asked)
	return true
}

func quantity(n int64) *resource.Quantity { return resource.NewQuantity(n, resource.DecimalSI) }
