package kit

import (
	"slices"

	"muster/suites/history"
	"muster/suites/premise"
)

// FitsWithin is the premise that at the stamp at least n of the pods would have fitted on nodes that share one value of
// the label (any, or the one named). An empty key asks about all nodes.
func (c *Case) FitsWithin(at history.Stamp, pods []*history.Pod, key, value string, n int) {
	if !c.asked(at, pods) {
		return
	}
	got, err := premise.RoomWithin(c.v, at, pods, key, value)
	c.Premise(got >= n, err, "room for %d of %d pods on nodes with one %q (there was room for %d)", n, len(pods), key, got)
}

// ShortWithin is the premise that at the stamp fewer than n of the pods would have fitted on nodes that share one value
// of the label.
func (c *Case) ShortWithin(at history.Stamp, pods []*history.Pod, key, value string, n int) {
	if !c.asked(at, pods) {
		return
	}
	got, err := premise.RoomWithin(c.v, at, pods, key, value)
	c.Premise(got < n, err, "no room for %d of %d pods on nodes with one %q (there was room for %d)", n, len(pods), key, got)
}

// DomainOf is the value a label had on a node at a place; empty where the node did not exist or lacked the label.
func DomainOf(v *history.View, node, key string, at history.Stamp) string {
	value := ""
	for _, n := range v.Nodes {
		if n.Name != node {
			continue
		}
		if o, ok := history.ValueAt(n.Object, at); ok {
			value = o.Labels[key]
		}
	}
	return value
}

// DomainsOf are the different values of a label on the nodes that pods were bound to, at their binds, sorted; "" for
// nodes without it. Pods that were never bound have none.
func DomainsOf(v *history.View, pods []*history.Pod, key string) []string {
	var out []string
	for _, p := range pods {
		if !p.Bound.IsZero() {
			out = append(out, DomainOf(v, p.Node, key, p.Bound))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
