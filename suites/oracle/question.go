package oracle

import (
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// ErrTooBig says that the exact answer would take more steps than the budget allows.
var ErrTooBig = errors.New("too many possibilities for an exact answer within the step budget")

// DefaultBudget is the number of elementary steps a question may take; a few hundred milliseconds.
const DefaultBudget = 400_000

// Node is a node as far as placement cares.
type Node struct {
	Name          string
	Labels        map[string]string
	Taints        []corev1.Taint
	Unschedulable bool
	// Allocatable is status.allocatable; the entry "pods" bounds the number of pods.
	Allocatable corev1.ResourceList
	// Pods are placed here already and do not move. Finished pods (Succeeded, Failed) take nothing and are ignored.
	Pods []*corev1.Pod
}

// NodeOf is the oracle's node for an API node and the pods on it.
func NodeOf(n *corev1.Node, pods ...*corev1.Pod) Node {
	return Node{
		Name: n.Name, Labels: n.Labels, Taints: n.Spec.Taints, Unschedulable: n.Spec.Unschedulable,
		Allocatable: n.Status.Allocatable, Pods: pods,
	}
}

// Question is what can be asked. The zero value of every field but Nodes and Pods is a sensible default.
type Question struct {
	Nodes []Node
	// Pods are to be placed; their own spec.nodeName and scheduling gates are not looked at.
	Pods []*corev1.Pod
	// TopologyKey demands that all placed pods stand on nodes that share one value of this label; empty demands nothing.
	TopologyKey string
	// Domain, with TopologyKey, is the one value allowed (because members stand there already); empty allows any.
	Domain string
	// Budget in steps; 0 is DefaultBudget.
	Budget int
}

// MaxPlaced is the greatest number of pods that can be placed on the nodes at the same time.
func MaxPlaced(nodes []Node, pods []*corev1.Pod) (int, error) {
	return Question{Nodes: nodes, Pods: pods}.MaxPlaced()
}

// Feasible reports whether at least quorum of the pods can be placed on the nodes at the same time.
func Feasible(nodes []Node, pods []*corev1.Pod, quorum int) (bool, error) {
	return Question{Nodes: nodes, Pods: pods}.Feasible(quorum)
}

// MaxPlaced is the greatest number of pods that can be placed at the same time. The error is ErrTooBig, or says which
// object could not be read.
func (q Question) MaxPlaced() (int, error) { return q.solve(len(q.Pods)) }

// Feasible reports whether at least quorum of the pods can be placed at the same time. It may be cheaper than
// MaxPlaced, since it stops at the first placement that is good enough.
func (q Question) Feasible(quorum int) (bool, error) {
	if quorum <= 0 {
		return true, nil
	}
	if quorum > len(q.Pods) {
		return false, nil
	}
	n, err := q.solve(quorum)
	return n >= quorum, err
}

// solve finds the maximum, stopping early once target is reached.
func (q Question) solve(target int) (int, error) {
	b := &budget{left: q.Budget}
	if b.left <= 0 {
		b.left = DefaultBudget
	}
	p, err := newProblem(q.Nodes, q.Pods)
	if err != nil {
		return 0, fmt.Errorf("reading the question: %w", err)
	}
	if q.TopologyKey == "" {
		return p.maxPlaced(b, target)
	}
	best := 0
	for _, domain := range q.domains() {
		n, err := p.within(q.TopologyKey, domain).maxPlaced(b, target)
		if err != nil {
			return 0, err
		}
		if best = max(best, n); best >= target {
			break
		}
	}
	return best, nil
}

// domains are the values of the topology key that may be chosen, sorted.
func (q Question) domains() []string {
	if q.Domain != "" {
		return []string{q.Domain}
	}
	var out []string
	for _, n := range q.Nodes {
		if v, ok := n.Labels[q.TopologyKey]; ok {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// budget counts steps down.
type budget struct{ left int }

// spend takes n steps; it reports ErrTooBig when there were not so many left.
func (b *budget) spend(n int) error {
	if b.left -= n; b.left < 0 {
		return ErrTooBig
	}
	return nil
}
