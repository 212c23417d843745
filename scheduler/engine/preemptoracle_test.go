package engine_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"muster/scheduler/engine"
	"muster/suites/oracle"
)

// TestVictimsAgainstOracle draws small clusters with pods and groups of lower and higher priority and a gang that is to
// be placed, and holds the victims against the oracle's: somebody is evicted exactly if that helps and is needed, the
// victims cost what the cheapest do, and the gang can then be placed where it is nominated.
func TestVictimsAgainstOracle(t *testing.T) {
	for _, rules := range []string{"plain", "ports", "anti", "all"} {
		t.Run(rules, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { victimsAgainstOracle(t, rules) })
		})
	}
}

func victimsAgainstOracle(t *rapid.T, rules string) {
	q := oracle.Victims{Question: drawCluster(t, rules)}
	e := engine.New(engine.Options{Seed: rapid.Uint64().Draw(t, "seed")})
	inUnit := drawUnits(t, rules, &q, e)
	load(e, q.Question)
	q.Need = rapid.IntRange(1, len(q.Pods)).Draw(t, "quorum")
	g := gang("g", int32(q.Need), groupPriority(10))
	if q.TopologyKey != "" {
		inOne(q.TopologyKey)(g)
	}
	e.UpsertGroup(g)
	for _, p := range q.Pods {
		priority(10)(p)
		e.UpsertPod(p)
	}
	r := root(engine.KindPodGroup, "g")
	want, err := q.Fewest()
	if errors.Is(err, oracle.ErrTooBig) {
		t.Skip("too big for the oracle")
	}
	if err != nil && !errors.Is(err, oracle.ErrNoVictims) {
		t.Fatalf("asking the oracle: %v", err)
	}
	before := e.Solve(r)
	p := e.Preempt(r)
	if checked := e.Check(); checked != nil {
		t.Fatal(checked)
	}
	if fits := err == nil && len(want) == 0; fits != (before.Outcome == engine.Placed) {
		t.Fatalf("the oracle wants victims %v (%v), the engine says %s without\n%s", want, err, before.Outcome, describe(q.Question))
	}
	if err == nil && len(want) == 0 {
		return
	}
	if errors.Is(err, oracle.ErrNoVictims) {
		if p.Kind != engine.NoPlan {
			t.Fatalf("%s of %s, which does not help\n%s", p.Kind, victims(p), describe(q.Question))
		}
		return
	}
	if p.Kind != engine.Evict {
		t.Fatalf("%s (%s), although evicting %v helps\n%s", p.Kind, p.Why, want, describe(q.Question))
	}
	var chosen []int
	gone := map[string]bool{}
	for _, v := range p.Victims {
		gone[v.Name] = true
		i, ok := inUnit[v.Name]
		if !ok {
			t.Fatalf("pod %s is evicted, whose priority is not lower\n%s", v.Name, describe(q.Question))
		}
		if !slices.Contains(chosen, i) {
			chosen = append(chosen, i)
		}
	}
	for _, i := range chosen {
		for _, o := range q.Units[i].Pods {
			if !gone[o.Name] {
				t.Fatalf("pod %s stays of a unit that goes\n%s", o.Name, describe(q.Question))
			}
		}
	}
	had, could := q.CostOf(chosen), q.CostOf(want)
	if had != could || p.Cost.Priority != had.Priority || p.Cost.Units != had.Units || p.Cost.Pods != had.Pods {
		t.Fatalf("evicting %s costs %+v (said: %+v), the cheapest %+v\n%s", victims(p), had, p.Cost, could, describe(q.Question))
	}
	after := q.Question
	after.Nodes = slices.Clone(q.Nodes)
	for i, n := range after.Nodes {
		after.Nodes[i].Pods = slices.DeleteFunc(slices.Clone(n.Pods), func(p *corev1.Pod) bool { return gone[p.Name] })
	}
	if len(p.Placements) < q.Need {
		t.Fatalf("%d of %d pods are nominated", len(p.Placements), q.Need)
	}
	checkLegal(t, after, engine.Decision{Placements: p.Placements})
	carryOut(t, e, r, p, q)
}

// drawUnits places more pods and says who is evicted with whom: pods alone, members of groups that go together, and pods
// of higher priority. It returns the unit of each pod that may be evicted.
func drawUnits(t *rapid.T, rules string, q *oracle.Victims, e *engine.Engine) map[string]int {
	inUnit := map[string]int{}
	groups := map[int]string{} // by unit
	for i := range q.Nodes {
		for j := range rapid.IntRange(0, 2).Draw(t, "more placed") {
			q.Nodes[i].Pods = append(q.Nodes[i].Pods, drawPod(t, rules, fmt.Sprint("more", i, j), ""))
		}
		for _, p := range q.Nodes[i].Pods {
			p.UID = types.UID(p.Name)
			switch u := rapid.IntRange(-2, len(q.Units)).Draw(t, "unit"); {
			case u == -2:
				priority(rapid.SampledFrom([]int32{10, 20}).Draw(t, "too high"))(p)
			case u == -1 || u < len(q.Units) && groups[u] == "" || u == len(q.Units) && rapid.Bool().Draw(t, "alone"):
				prio := int32(rapid.IntRange(0, 2).Draw(t, "priority"))
				priority(prio)(p)
				inUnit[p.Name] = len(q.Units)
				q.Units = append(q.Units, oracle.Unit{Priority: prio, Pods: []*corev1.Pod{p}})
			default:
				if u == len(q.Units) {
					prio := int32(rapid.IntRange(0, 2).Draw(t, "priority"))
					groups[u] = fmt.Sprint("low", u)
					e.UpsertGroup(gang(groups[u], 1, disruptedTogether, groupPriority(prio)))
					q.Units = append(q.Units, oracle.Unit{Priority: prio})
				}
				name := groups[u]
				priority(q.Units[u].Priority)(p)
				p.Spec.SchedulingGroup = &corev1.PodSchedulingGroup{PodGroupName: &name}
				q.Units[u].Pods = append(q.Units[u].Pods, p)
				inUnit[p.Name] = u
			}
		}
	}
	return inUnit
}

// carryOut nominates, lets the victims end one by one, and looks for a second wave, for others that take the room, and
// for the gang's place in the end.
func carryOut(t *rapid.T, e *engine.Engine, r engine.Root, p engine.Plan, q oracle.Victims) {
	e.Nominate(p)
	e.Woken()
	e.UpsertPod(pod("equal", "", 1, 0, priority(10)))
	for i, v := range p.Victims {
		if err := e.Check(); err != nil {
			t.Fatal(err)
		}
		if d := e.Solve(r); d.Outcome != engine.Placed {
			if again := e.Preempt(r); again.Kind != engine.Wait || !again.Kept {
				t.Fatalf("after %d of %d victims ended: %s of %s (kept %v)\n%s", i, len(p.Victims), again.Kind, victims(again), again.Kept, describe(q.Question))
			}
		}
		equal := root(engine.KindPod, "equal")
		if d := e.Solve(equal); d.Outcome == engine.Placed {
			e.Assume(d.Placements)
		}
		e.DeletePod(v.Key)
	}
	if !slices.Contains(e.Woken(), r) {
		t.Fatalf("not woken when the last victim had ended\n%s", describe(q.Question))
	}
	d := e.Solve(r)
	if d.Outcome != engine.Placed {
		t.Fatalf("%s (%s) once the victims have ended\n%s", d.Outcome, d.Reason, describe(q.Question))
	}
	e.Assume(d.Placements)
	e.Renounce(r)
	if err := e.Check(); err != nil {
		t.Fatal(err)
	}
}
