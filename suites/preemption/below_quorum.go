package preemption

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "preemption-below-quorum",
		Profile:      "preemption",
		Summary:      "A gang of high priority has one member fewer than its quorum, and every node is held by a pod of low priority.",
		Requirements: []string{"PRE-005"},
		Needs:        needs(pool(mainPool, 2, 1)),
		Weight:       20,
		Drive:        driveBelowQuorum,
		Judge:        judgeBelowQuorum,
	})
}

func driveBelowQuorum(ctx context.Context, env suites.Env) error {
	nodes := env.Pool(mainPool).Nodes()
	if err := place(ctx, env, across(nodes, pod("low", mainPool, "low"))...); err != nil {
		return err
	}
	env.Mark(ctx, ready)
	if err := attack(ctx, env, "g", mainPool, len(nodes), len(nodes)-1); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "came", settled, len(nodes))
}

func judgeBelowQuorum(v *history.View) []suites.Finding {
	g := gang(v, "g", podsOf(v, "low-0", "low-1")...)
	quorum := g.need
	g.need = len(g.preemptor)
	c := g.opened("PRE-005")
	c.Premise(len(g.preemptor) == quorum-1, nil, "the gang has one member fewer than its quorum of %d", quorum)
	return []suites.Finding{g.spared(untouchedFor(c, quorum), g.legal, "for a gang below its quorum")}
}
