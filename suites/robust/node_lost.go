package robust

import (
	"context"

	"muster/fakes/faults"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

// nodeLostSize is the size of the gang, and of its pool.
const nodeLostSize = 3

func init() {
	suites.Register(scenario(suites.Scenario{
		Name:         "robust-node-lost-mid-gang",
		Summary:      "A node goes with the first bound member of a gang while the second bind is under way; another node and another pod come.",
		Requirements: []string{"ROB-007"},
		Needs:        needs(map[string]int{mainPool: nodeLostSize}, "create-nodes"),
		Weight:       14,
		Drive:        driveNodeLost,
		Judge:        judgeNodeLost,
	}))
}

func driveNodeLost(ctx context.Context, env suites.Env) error {
	f, err := suites.FaultsOf(env)
	if err != nil {
		return err
	}
	rule := bindsOf(env, "under way", "g", faults.Fault{Hang: true})
	rule.Skip = 1
	if err := f.Break(ctx, rule); err != nil {
		return err
	}
	if err := gang(ctx, env, "g", mainPool, nodeLostSize); err != nil {
		return err
	}
	// Which member is bound first, and where, is the scheduler's choice.
	var first, node string
	env.Await(ctx, "one is bound, another under way", env.Settle(nodeLostSize), func(v *history.View) bool {
		bound := v.BoundAt("g", v.Now())
		if len(bound) == 0 || len(v.Strikes("under way")) == 0 {
			return false
		}
		first, node = bound[0].Name, bound[0].Node
		return true
	})
	if first != "" {
		if err := env.RemoveNode(ctx, node); err != nil {
			return err
		}
		// Without a node controller nobody deletes the pod of a lost node; its owner would, and replace it.
		if err := env.DeletePods(ctx, first); err != nil {
			return err
		}
		replacement := kit.Member("g", mainPool)
		replacement.Name = "g-again"
		if err := env.CreatePods(ctx, replacement); err != nil {
			return err
		}
		env.Mark(ctx, "node lost")
	}
	if err := f.Mend(ctx, "under way"); err != nil {
		return err
	}
	if err := env.AddNodes(ctx, mainPool, 1); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "complete", "g", nodeLostSize)
	return ctx.Err()
}

func judgeNodeLost(v *history.View) []suites.Finding {
	c := kit.For(v, "ROB-007")
	hit(c, v, "under way", 1)
	c.Mark("node lost")
	return []suites.Finding{completes(c, v, "complete", "g", nodeLostSize)}
}
