package field

import (
	"context"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

// Every node has one of its GPUs taken, so that what is free suffices in the sum and is nowhere in one piece. When
// enough nodes become whole the gang is bound, which shows that nothing else stood in its way.
func init() {
	suites.Register(suites.Scenario{
		Name:         "fragmented-pool-made-whole",
		Profile:      "gang",
		Summary:      "What is free suffices for a gang in the sum, one GPU a node; then nodes become wholly free.",
		Requirements: []string{"FIELD-004"},
		Needs:        suites.Needs{Pools: []nodes.Pool{{Name: "pool", Count: 4, GPUs: 2}}},
		Weight:       40,
		Drive:        driveFragmented,
		Judge:        judgeFragmented,
	})
}

func driveFragmented(ctx context.Context, env suites.Env) error {
	on := len(env.Pool("pool").Nodes())
	free, err := slots(env, "pool", 2*on)
	if err != nil {
		return err
	}
	fillers, err := kit.Occupy(ctx, env, "pool", "filler", "", on)
	if err != nil {
		return err
	}
	env.Mark(ctx, "fragmented")
	m := kit.Member("wide", "pool")
	m.GPUs = free / on        // a whole node
	n := (free - on) / m.GPUs // all that is free, in the sum
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "wide", Quorum: int32(n)}, build.Replicas(n, m)...); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "hold", "held", n); err != nil {
		return err
	}
	if err := kit.Vacate(ctx, env, fillers[:n]...); err != nil {
		return err
	}
	env.Mark(ctx, "whole")
	kit.AwaitBound(ctx, env, "waited-for", "wide", n)
	return ctx.Err()
}

func judgeFragmented(v *history.View) []suites.Finding {
	c := kit.For(v, "FIELD-004")
	fragmented, whole, end := c.Mark("fragmented"), c.Mark("whole"), c.Mark("waited-for")
	members := v.Members("wide")
	_, held := c.Watched("hold", "held", len(members))
	c.RoomFor(fragmented, members, 0)
	sumSuffices(c, v, fragmented, members)
	c.Fits(whole, members)
	if early := kit.BoundBefore(v, "wide", held); len(early) > 0 {
		return []suites.Finding{c.About(held, kit.Objects(early)...).Holds(false,
			"%d of %d members were bound while no node could hold one", len(early), len(members))}
	}
	bound := v.BoundAt("wide", end)
	c.Premise(len(bound) == len(members), nil, "the gang could be bound: it was once enough nodes were whole (%d of %d members)", len(bound), len(members))
	return []suites.Finding{c.About(held).Holds(true,
		"none of the gang's %d members was bound while no node could hold one", len(members))}
}
