package robust

import (
	"context"

	"muster/fakes/faults"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

// badNodeSize is the size of the gang; there is one node more, and one node to which no bind succeeds.
const badNodeSize = 2

func init() {
	suites.Register(scenario(suites.Scenario{
		Name:         "robust-binds-to-one-node-refused",
		Summary:      "Every bind to one node fails for good; without it the gang fits just so.",
		Requirements: []string{"ROB-003"},
		Needs:        needs(map[string]int{mainPool: badNodeSize + 1}),
		Weight:       38,
		Drive:        driveBadNode,
		Judge:        judgeBadNode,
	}))
}

func driveBadNode(ctx context.Context, env suites.Env) error {
	f, err := suites.FaultsOf(env)
	if err != nil {
		return err
	}
	if _, err := slots(env, mainPool, badNodeSize+1); err != nil {
		return err
	}
	for _, node := range env.Pool(mainPool).Nodes()[:1] {
		rule := bindsOf(env, "bad node", "g", faults.Fault{Status: 500})
		rule.Body = node
		if err := f.Break(ctx, rule); err != nil {
			return err
		}
	}
	if err := gang(ctx, env, "g", mainPool, badNodeSize); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "complete", "g", badNodeSize)
	return ctx.Err()
}

func judgeBadNode(v *history.View) []suites.Finding {
	c := kit.For(v, "ROB-003")
	_, _, broken := v.Broken("bad node")
	c.Premise(broken, nil, "binds to one node were refused")
	return []suites.Finding{completes(c, v, "complete", "g", badNodeSize)}
}
