package topology

import (
	"context"
	"slices"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	n := needs(racks(2, 3, 1))
	n.Capabilities = []string{"create-nodes"}
	suites.Register(suites.Scenario{
		Name:         "topology-node-gone",
		Profile:      "topology",
		Summary:      "A node of a running gang is deleted and its pod is not; then a late member comes.",
		Requirements: []string{"TAS-039"},
		Needs:        n,
		Weight:       25,
		Drive: func(ctx context.Context, env suites.Env) error {
			return driveLateOnceDone(ctx, env, "gone", func(node string) error { return env.RemoveNode(ctx, node) })
		},
		Judge: judgeNodeGone,
	})
}

// Pods of a node that is gone are deleted by the garbage collector of pods in the end, some 40 seconds later and after the
// watch. Where that came earlier, the scheduler was asked for something else.
func judgeNodeGone(v *history.View) []suites.Finding {
	key := keyOf(v, "g")
	c := kit.For(v, "TAS-039")
	start, _ := whole(c, v, "g", "quorum bound")
	gone, to := c.Watched("gone", "watched", 3)
	running := v.BoundAt("g", start)
	bare := slices.DeleteFunc(slices.Clone(running), func(p *history.Pod) bool { return !nodeGone(v, p.Node, gone) })
	c.Premise(len(running) == 2 && len(bare) == 1, nil, "one of two members stood on a node that was gone by then")
	c.Premise(len(history.Active(running, gone)) == 2, nil, "both still existed then")
	c.Premise(len(kit.CreatedUpTo(v, "g", gone)) == 3, nil, "a third member was created")
	return []suites.Finding{c.About(to, "podgroup g").Saw(lateWords(v, key)+stayed(running, gone, to),
		"a late member of a gang of which one node is gone")}
}

// nodeGone reports whether a node existed before the place and does not exist there.
func nodeGone(v *history.View, name string, at history.Stamp) bool {
	named := v.NodesNamed(name)
	return len(named) > 0 && !slices.ContainsFunc(named, func(n *history.Node) bool {
		return n.Gone.IsZero() || n.Gone.After(at)
	})
}
