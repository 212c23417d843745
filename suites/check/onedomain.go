package check

import (
	"fmt"
	"slices"
	"strings"

	"muster/suites"
	"muster/suites/history"
)

var oneDomain = Check{
	ID: "INV-010", Name: "OneDomain",
	Rule: `"All pods within the PodGroup must be colocated within the same domain instance." (scheduling/v1beta1 TopologyConstraint.key)`,
	Func: func(v *history.View) []suites.Finding {
		r := reportFor(v, "INV-010", "OneDomain", true, "pods", "nodes")
		for _, g := range v.Gangs {
			if g.TopologyKey != "" {
				together(v, r, bond{gangName(g), g.TopologyKey, membersOf(v, g), g.Created, g.Gone, v.GangsNamed(g.Namespace + "/" + g.Name)[0] != g})
			}
		}
		for _, c := range v.Composites {
			if c.TopologyKey != "" {
				together(v, r, bond{"compositepodgroup " + c.Namespace + "/" + c.Name, c.TopologyKey, v.PodsUnder(c), c.Created, c.Gone, false})
			}
		}
		return r.findings()
	},
}

// bond is a group whose pods have to stand in one domain of a node label while it exists.
type bond struct {
	name, key     string
	pods          []*history.Pod
	created, gone history.Stamp
	// again: a group of this name existed before.
	again bool
}

// together looks at every bind by the scheduler under test, in order: its node has to have the label, and the value that
// the pods bound before it and still there have. Pods on their way out and finished ones hold nobody, so a group of
// which nothing is left may begin anew elsewhere.
func together(v *history.View, r *report, b bond) {
	pods := slices.DeleteFunc(slices.Clone(b.pods), func(p *history.Pod) bool { return p.Bound.IsZero() })
	slices.SortStableFunc(pods, func(x, y *history.Pod) int {
		switch {
		case x.Bound.Before(y.Bound):
			return -1
		case y.Bound.Before(x.Bound):
			return 1
		}
		return 0
	})
	judged := 0
	for i, p := range pods {
		if !p.ByScheduler() || p.Bound.Before(b.created) || reached(b.gone, p.Bound) || b.again && p.Bound.Since(b.created) <= lag {
			continue
		}
		judged++
		mine := valuesAround(v, p.Node, b.key, p.Bound)
		if len(mine) == 0 {
			r.fail(p.Bound, []string{b.name, podName(p), "node " + p.Node}, "%s was bound to node %s, which has no label %s", p.Name, p.Node, b.key)
			return
		}
		for _, o := range pods[:i] {
			if !o.BoundAt(p.Bound) || reached(lostAt(o), p.Bound) {
				continue
			}
			theirs := append(valuesAround(v, o.Node, b.key, p.Bound), valuesAround(v, o.Node, b.key, o.Bound)...)
			if slices.ContainsFunc(mine, func(value string) bool { return slices.Contains(theirs, value) }) {
				continue
			}
			objects := []string{b.name, podName(o), podName(p)}
			what := fmt.Sprintf("%s was bound where %s is %s, while %s stands where it is %s", p.Name, b.key, either(mine), o.Name, either(theirs))
			if !v.Ordered() && p.Bound.Since(o.Bound) <= lag && !o.ByScheduler() {
				r.doubt(p.Bound, objects, "%s, but this record does not order what the scheduler and others did at about the same time", what)
				return
			}
			r.fail(p.Bound, objects, "%s", what)
			return
		}
	}
	if judged > 0 {
		r.pass("all pods of %s that the scheduler bound (%d) stand in one domain of %s", b.name, judged, b.key)
	}
}

// valuesAround are the values that a node's label had at a place or a little before it: what a scheduler may have gone
// by. Nodes without the label have none.
func valuesAround(v *history.View, node, key string, at history.Stamp) []string {
	var out []string
	for _, n := range v.NodesNamed(node) {
		for i, o := range n.Object {
			if o.Stamp.After(at) {
				break
			}
			if i+1 < len(n.Object) {
				if next := n.Object[i+1].Stamp; !next.After(at) && at.Since(next) > lag {
					continue // replaced long before
				}
			}
			if value, ok := o.Value.Labels[key]; ok {
				out = append(out, value)
			}
		}
	}
	return out
}

func either(values []string) string {
	quoted := make([]string, 0, len(values))
	for _, v := range values {
		if q := fmt.Sprintf("%q", v); !slices.Contains(quoted, q) {
			quoted = append(quoted, q)
		}
	}
	if len(quoted) == 0 {
		return "missing"
	}
	return strings.Join(quoted, " or ")
}
