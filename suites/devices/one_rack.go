package devices

import (
	"context"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "devices-one-rack",
		Profile:      "devices",
		Summary:      "A gang demands one rack, and each member a device; the racks together have enough, and one of three does.",
		Requirements: []string{"DRA-026"},
		Needs:        suites.Needs{Pools: []nodes.Pool{{Name: mainPool, Count: 6, NodesPerRack: 2, RackKey: "unique"}}},
		Weight:       10,
		Drive:        driveOneRack,
		Judge:        judgeOneRack,
	})
}

func driveOneRack(ctx context.Context, env suites.Env) error {
	on := env.Pool(mainPool).Nodes()
	if err := publish(ctx, env, onNode(env, on[0], alike(1)...), onNode(env, on[2], alike(1)...), onNode(env, on[4], alike(1)...), onNode(env, on[5], alike(1)...)); err != nil {
		return err
	}
	if err := template(ctx, env, "gpu"); err != nil {
		return err
	}
	g := build.Gang{Name: "g", Quorum: 2, TopologyKey: env.Pool(mainPool).Spec().RackKey}
	if err := kit.CreateGang(ctx, env, g, workers(2, "g", made("gpu", "gpu"))...); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "bound", "g", 2)
	return ctx.Err()
}

func judgeOneRack(v *history.View) []suites.Finding {
	c := kit.For(v, "DRA-026")
	at, pods := standing(c, v, "g", "bound")
	g := v.Gang("g")
	c.Premise(g != nil && g.TopologyKey != "", nil, "the gang demands one rack")
	key := ""
	if g != nil {
		key = g.TopologyKey
	}
	c.Premise(len(supply(v, at)) == 4, nil, "there are four devices")
	in := kit.DomainsOf(v, pods, key)
	used := claimsOf(v, pods)
	return []suites.Finding{c.About(at, kit.Objects(pods)...).Holds(len(pods) == 2 && len(in) == 1 && len(heldBy(used, at)) == 2,
		"%d of 2 members are bound in the racks %q with the devices %s; expected both in the one that has two", len(pods), in, list(heldBy(used, at)))}
}
