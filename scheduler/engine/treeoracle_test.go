package engine_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"muster/scheduler/engine"
	"muster/suites/oracle"
)

// TestTreesAgainstOracle draws a composite of gangs with constraints at both levels, and tries every choice of children
// and domains with the oracle.
func TestTreesAgainstOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawCluster(t, "plain")
		for _, n := range q.Nodes {
			n.Labels[rack] = rapid.SampledFrom([]string{"r1", "r2", "r3"}).Draw(t, "rack")
		}
		e := engine.New(engine.Options{Seed: rapid.Uint64().Draw(t, "seed")})
		load(e, q)
		keys := []string{"", zone, rack}
		top := rapid.SampledFrom(keys).Draw(t, "top key")
		kids := rapid.IntRange(1, 3).Draw(t, "children")
		quorum := rapid.IntRange(0, kids).Draw(t, "quorum")
		e.UpsertComposite(composite("top", int32(quorum), top, ""))
		var children []child
		for i := range kids {
			c := child{key: rapid.SampledFrom(keys).Draw(t, "key")}
			name := fmt.Sprint("c", i)
			n := rapid.IntRange(1, 3).Draw(t, "members")
			g := gang(name, int32(n), under("top"))
			if c.key != "" {
				inOne(c.key)(g)
			}
			e.UpsertGroup(g)
			shape := drawPod(t, "plain", "x", "")
			for j := range n {
				p := pod(fmt.Sprint(name, "-", j), name, 0, 0, func(p *corev1.Pod) {
					group := p.Spec.SchedulingGroup
					p.Spec = *shape.Spec.DeepCopy()
					p.Spec.SchedulingGroup = group
				})
				e.UpsertPod(p)
				c.pods = append(c.pods, p)
			}
			children = append(children, c)
		}
		d := e.Solve(root(engine.KindComposite, "top"))
		want := feasible(t, q, "", "", top, children, max(1, quorum), nil)
		if want != (d.Outcome == engine.Placed) {
			t.Fatalf("quorum %d of %d children: tried in every way %v, the engine %s (%s)\n%s\n%+v", quorum, kids, want, d.Outcome, d.Reason, describe(q), children)
		}
		if err := e.Check(); err != nil {
			t.Fatal(err)
		}
	})
}

type child struct {
	key  string
	pods []*corev1.Pod
}

// feasible tries every domain for the tree, every choice of children, and every domain for each of them.
func feasible(t *rapid.T, q oracle.Question, key, value, top string, rest []child, need int, chosen []*corev1.Pod) bool {
	if top != "" {
		for _, v := range values(q, top) {
			if feasible(t, q, top, v, "", rest, need, nil) {
				return true
			}
		}
		return false
	}
	if need == 0 {
		ok, err := oracle.Feasible(q.Nodes, chosen, len(chosen))
		if err != nil {
			t.Fatalf("asking the oracle: %v", err)
		}
		return ok
	}
	if len(rest) < need {
		return false
	}
	own := []string{""}
	if rest[0].key != "" {
		own = values(q, rest[0].key)
	}
	for _, v := range own {
		with := chosen[:len(chosen):len(chosen)]
		for _, p := range rest[0].pods {
			p = p.DeepCopy()
			if p.Spec.NodeSelector == nil {
				p.Spec.NodeSelector = map[string]string{}
			}
			if key != "" {
				p.Spec.NodeSelector[key] = value
			}
			if rest[0].key != "" {
				if p.Spec.NodeSelector[rest[0].key] != "" && p.Spec.NodeSelector[rest[0].key] != v {
					with = nil
					break
				}
				p.Spec.NodeSelector[rest[0].key] = v
			}
			with = append(with, p)
		}
		if with != nil && feasible(t, q, key, value, "", rest[1:], need-1, with) {
			return true
		}
	}
	return feasible(t, q, key, value, "", rest[1:], need, chosen)
}

func values(q oracle.Question, key string) []string {
	seen := map[string]bool{}
	var out []string
	for _, n := range q.Nodes {
		if v, ok := n.Labels[key]; ok && !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}
