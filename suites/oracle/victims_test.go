package oracle_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"muster/suites/oracle"
)

// TestFewestAgainstNaive compares the choice of victims with trying every subset of the units.
func TestFewestAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := oracle.Victims{Question: drawQuestion(t, rapid.SampledFrom([]string{"plain", "ports", "anti", "all"}).Draw(t, "rules"))}
		q.Need = rapid.IntRange(1, max(1, len(q.Pods))).Draw(t, "need")
		rules := rapid.SampledFrom([]string{"plain", "anti"}).Draw(t, "rules of those placed")
		for i := range q.Nodes {
			for range rapid.IntRange(0, 2).Draw(t, "more placed") {
				q.Nodes[i].Pods = append(q.Nodes[i].Pods, drawPod(t, rules))
			}
			for _, p := range q.Nodes[i].Pods {
				// Each pod joins a unit, begins one, or is nobody's to evict.
				switch u := rapid.IntRange(-1, len(q.Units)).Draw(t, "unit"); {
				case u == len(q.Units):
					q.Units = append(q.Units, oracle.Unit{Priority: int32(rapid.IntRange(0, 2).Draw(t, "priority")), Pods: []*corev1.Pod{p}})
				case u >= 0:
					q.Units[u].Pods = append(q.Units[u].Pods, p)
				}
			}
		}
		want, possible := naiveFewest(q)
		got, err := q.Fewest()
		if errors.Is(err, oracle.ErrNoVictims) && !possible {
			return
		}
		if err != nil || !possible {
			t.Fatalf("choosing victims: %v, %v; possible %v\n%s", got, err, possible, describe(q.Question))
		}
		if cost := q.CostOf(got); cost != want {
			t.Fatalf("a choice costs %+v, the cheapest %+v\n%s", cost, want, describe(q.Question))
		}
	})
}

// naiveFewest tries every subset.
func naiveFewest(q oracle.Victims) (best oracle.Cost, possible bool) {
	for set := range 1 << len(q.Units) {
		var chosen []int
		rest := q.Question
		rest.Nodes = slices.Clone(q.Nodes)
		for i, u := range q.Units {
			if set&(1<<i) == 0 {
				continue
			}
			chosen = append(chosen, i)
			for n := range rest.Nodes {
				rest.Nodes[n].Pods = slices.DeleteFunc(slices.Clone(rest.Nodes[n].Pods), func(p *corev1.Pod) bool { return slices.Contains(u.Pods, p) })
			}
		}
		if naiveMax(rest) < q.Need {
			continue
		}
		if c := q.CostOf(chosen); !possible || c.Less(best) {
			best, possible = c, true
		}
	}
	return best, possible
}

func TestFewest(t *testing.T) {
	node := func(name string, gpus int, pods ...*corev1.Pod) oracle.Node {
		return oracle.Node{Name: name, Labels: map[string]string{host: name}, Pods: pods, Allocatable: amountsOf("pods=110", fmt.Sprint("example.com/gpu=", gpus))}
	}
	one, two := func() *corev1.Pod { return pod(nil, "example.com/gpu=1") }, pod(nil, "example.com/gpu=2")
	a, b, c := one(), one(), pod(nil, "example.com/gpu=2")
	q := oracle.Victims{
		Question: oracle.Question{Nodes: []oracle.Node{node("x", 2, a, b), node("y", 2, c)}, Pods: []*corev1.Pod{two}},
		Need:     1, Units: []oracle.Unit{{Pods: []*corev1.Pod{a}}, {Pods: []*corev1.Pod{b}}, {Pods: []*corev1.Pod{c}}},
	}
	for _, tt := range []struct {
		name   string
		change func(*oracle.Victims)
		want   string
	}{
		{"one instead of two", func(*oracle.Victims) {}, "[2]"},
		{"two of lower priority instead of one", func(q *oracle.Victims) { q.Units[2].Priority = 1 }, "[0 1]"},
		{"nobody has to go", func(q *oracle.Victims) { q.Nodes = append(q.Nodes, node("z", 2)) }, "[]"},
		{"a unit goes as a whole", func(q *oracle.Victims) {
			q.Units = []oracle.Unit{{Pods: []*corev1.Pod{a, b}}, {Priority: 1, Pods: []*corev1.Pod{c}}}
		}, "[0]"},
		{"in vain", func(q *oracle.Victims) { q.Units = q.Units[:1] }, oracle.ErrNoVictims.Error()},
	} {
		mine := q
		mine.Units, mine.Nodes = slices.Clone(q.Units), slices.Clone(q.Nodes)
		tt.change(&mine)
		got, err := mine.Fewest()
		said := fmt.Sprint(got)
		if err != nil {
			said = err.Error()
		}
		if said != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, said, tt.want)
		}
	}
}

// Too many units to try are an error and no guess.
func TestFewestTooBig(t *testing.T) {
	var q oracle.Victims
	for i := range 40 {
		p := pod(nil, "example.com/gpu=1")
		q.Nodes = append(q.Nodes, oracle.Node{Name: fmt.Sprint(i), Pods: []*corev1.Pod{p}, Allocatable: amountsOf("pods=110", "example.com/gpu=1")})
		q.Units = append(q.Units, oracle.Unit{Pods: []*corev1.Pod{p}})
		if i < 20 {
			q.Pods = append(q.Pods, pod(nil, "example.com/gpu=1"))
		}
	}
	q.Need = 20
	if _, err := q.Fewest(); !errors.Is(err, oracle.ErrTooBig) {
		t.Errorf("twenty of forty units: %v, want ErrTooBig", err)
	}
}
