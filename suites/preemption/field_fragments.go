package preemption

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

// Seen in practice: freed capacity is summed over the cluster, and the pods that were evicted for it leave holes in which
// no member fits.
func init() {
	suites.Register(suites.Scenario{
		Name:         "preemption-frees-fragments",
		Profile:      "preemption",
		Summary:      "Each member of a gang needs two GPUs of one node; on every node one is held by a low and one by a higher priority.",
		Requirements: []string{"FIELD-014"},
		Needs:        needs(pool(mainPool, 4, 2)),
		Weight:       21,
		Drive:        driveFragments,
		Judge:        judgeFragments,
	})
}

func driveFragments(ctx context.Context, env suites.Env) error {
	nodes := env.Pool(mainPool).Nodes()
	if err := place(ctx, env, append(across(nodes, pod("low", mainPool, "low")), across(nodes, pod("top", mainPool, "top"))...)...); err != nil {
		return err
	}
	env.Mark(ctx, ready)
	m := member("g", "g", mainPool, "high")
	m.GPUs = 2
	g := gangOfOne("g")
	g.Quorum = 2
	if err := attackWith(ctx, env, g, 2, m); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "came", settled, 2)
}

func judgeFragments(v *history.View) []suites.Finding {
	g := gang(v, "g", podsOf(v, "low-0", "low-1", "low-2", "low-3")...)
	c := untouchedFor(g.hopeless("FIELD-014"), g.need)
	c.Premise(len(g.legal) >= 2*g.need, nil, "what they hold would be enough in sum")
	return []suites.Finding{g.spared(c, g.legal, "although no node could hold a member afterwards")}
}
