package topology

import (
	"context"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "topology-node-joins",
		Profile:      "topology",
		Summary:      "A gang waits for its rack to become large enough; a node joins the rack.",
		Requirements: []string{"TAS-035"},
		Needs:        needs(nodes.Pool{Name: mainPool, Count: 2, GPUs: 1, NodesPerRack: 3, RackKey: "unique"}),
		Weight:       6,
		Drive:        driveNodeJoins,
		Judge:        judgeNodeJoins,
	})
}

func driveNodeJoins(ctx context.Context, env suites.Env) error {
	if err := kit.CreateGang(ctx, env, racked(env, "g", 3), kit.Members(3, "g", mainPool)...); err != nil {
		return err
	}
	kit.AwaitTried(ctx, env, "g", 3)
	env.Mark(ctx, "waits")
	if err := env.AddNodes(ctx, mainPool, 1); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "all bound", "g", 3)
	return ctx.Err()
}

func judgeNodeJoins(v *history.View) []suites.Finding {
	members := v.Members("g")
	opened := func() *kit.Case {
		c := kit.For(v, "TAS-035")
		c.ShortWithin(c.Mark("waits"), members, keyOf(v, "g"), "", 3)
		c.FitsWithin(c.Mark("all bound"), members, keyOf(v, "g"), "", 3)
		return c
	}
	return []suites.Finding{together(opened(), v, "g", "all bound", 3)}
}
