package robust

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

// nodeBackSize is the size of the gangs, and of their pool.
const nodeBackSize = 3

func init() {
	suites.Register(scenario(suites.Scenario{
		Name: "robust-node-lost-and-back",
		Summary: "A node that holds a member of a gang is deleted, and its gang is deleted; another gang that needs every node waits " +
			"until the node has come back under its own name.",
		Requirements: []string{"ROB-020"},
		Needs:        needs(map[string]int{mainPool: nodeBackSize}, "create-nodes"),
		Weight:       14,
		Drive:        driveNodeBack,
		Judge:        judgeNodeBack,
	}))
}

// A node that is created again has another UID, and so is another node to a watch and the same to everything that goes by
// names. What a scheduler keeps of the first one under its name (pods on it, its room, that it is gone) is wrong now.
func driveNodeBack(ctx context.Context, env suites.Env) error {
	if err := gang(ctx, env, "first", mainPool, nodeBackSize); err != nil {
		return err
	}
	var node string
	env.Await(ctx, "first complete", env.Settle(nodeBackSize), func(v *history.View) bool {
		bound := v.BoundAt("first", v.Now())
		if len(bound) < nodeBackSize {
			return false
		}
		node = bound[0].Node
		return true
	})
	if node == "" {
		return ctx.Err()
	}
	if err := env.RemoveNode(ctx, node); err != nil {
		return err
	}
	if err := env.DeletePods(ctx, "first-0", "first-1", "first-2"); err != nil {
		return err
	}
	env.Mark(ctx, "node lost")
	if err := gang(ctx, env, "second", mainPool, nodeBackSize); err != nil {
		return err
	}
	// Long enough for a scheduler to have looked at it and found no room.
	env.Hold(ctx, "two nodes", glance)
	if err := env.ReturnNode(ctx, node); err != nil {
		return err
	}
	env.Mark(ctx, "node back")
	kit.AwaitBound(ctx, env, "second complete", "second", nodeBackSize)
	return ctx.Err()
}

func judgeNodeBack(v *history.View) []suites.Finding {
	c := kit.For(v, "ROB-020")
	c.Mark("node lost")
	c.Mark("node back")
	return []suites.Finding{completes(c, v, "second complete", "second", nodeBackSize)}
}
