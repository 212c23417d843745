package topology

import (
	"context"
	"fmt"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "topology-label-lost",
		Profile:      "topology",
		Summary:      "A node of a running gang loses its label; then a late member comes.",
		Requirements: []string{"TAS-037"},
		Needs:        needs(racks(2, 3, 1)),
		Weight:       25,
		Drive: func(ctx context.Context, env suites.Env) error {
			return driveLateAfter(ctx, env, "lost", "")
		},
		Judge: judgeLabelLost,
	})
}

func judgeLabelLost(v *history.View) []suites.Finding {
	key := keyOf(v, "g")
	c := kit.For(v, "TAS-037")
	start, _ := whole(c, v, "g", "quorum bound")
	lost, to := c.Watched("lost", "watched", 3)
	running := v.BoundAt("g", start)
	bare := 0
	for _, p := range running {
		c.Premise(kit.DomainOf(v, p.Node, key, start) != "", nil, "the node of %s had the label when it was bound", p.Name)
		if kit.DomainOf(v, p.Node, key, lost) == "" {
			bare++
		}
	}
	c.Premise(len(running) == 2 && bare == 1, nil, "one of two members stood on a node without the label by then")
	c.Premise(len(kit.CreatedUpTo(v, "g", lost)) == 3, nil, "a third member was created")
	return []suites.Finding{c.About(to, "podgroup g").Saw(lateWords(v, key)+stayed(running, lost, to),
		"a late member of a gang of which one node has lost the label")}
}

// stayed says how many of the running members were deleted meanwhile; nothing where none was.
func stayed(running []*history.Pod, from, to history.Stamp) string {
	if gone := len(kit.DisturbedBetween(running, from, to)); gone > 0 {
		return fmt.Sprintf("; %d of %d running members deleted", gone, len(running))
	}
	return ""
}
