package topology

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "topology-nodes-without-label",
		Profile:      "topology",
		Summary:      "A gang would fit if a node without the rack label counted; later the node gets its label.",
		Requirements: []string{"TAS-004", "TAS-024"},
		Needs:        needs(racks(1, 3, 1)),
		Weight:       25,
		Drive:        driveNodesWithoutLabel,
		Judge:        judgeNodesWithoutLabel,
	})
}

func driveNodesWithoutLabel(ctx context.Context, env suites.Env) error {
	node, key := rack(env, 0)[2], rackKey(env)
	if err := env.PatchNode(ctx, node, labels(key, "")); err != nil {
		return err
	}
	env.Await(ctx, "the label is gone", env.Settle(1), func(v *history.View) bool { return kit.DomainOf(v, node, key, v.Now()) == "" })
	env.Hold(ctx, "the scheduler sees it too", glance)
	if err := kit.CreateGang(ctx, env, racked(env, "g", 3), kit.Members(3, "g", mainPool)...); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "one node unlabelled", "watched", 3); err != nil {
		return err
	}
	if err := env.PatchNode(ctx, node, labels(key, env.Pool(mainPool).Name()+"-rack-0")); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "all bound", "g", 3)
	return ctx.Err()
}

func judgeNodesWithoutLabel(v *history.View) []suites.Finding {
	members, key := v.Members("g"), keyOf(v, "g")
	none := kit.For(v, "TAS-004")
	from, to := none.Watched("one node unlabelled", "watched", 3)
	none.FitsWithin(from, members, "", "", 3)
	none.NeverRoom(from, to, members, 3)

	later := kit.For(v, "TAS-024")
	later.Mark("watched")
	later.FitsWithin(later.Mark("all bound"), members, key, "", 3)
	return []suites.Finding{
		none.None("g", history.Stamp{}, to, "although its third node was in no rack"),
		together(later, v, "g", "all bound", 3),
	}
}
