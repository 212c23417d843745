package builder

import (
	"context"
	"fmt"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/shapes"
)

func init() {
	suites.Register(suites.Scenario{
		Name: "builder-replicas", Profile: "builder",
		Summary:      "Two replicas of a leader and its workers find room for one of them and a half, and then for both.",
		Requirements: []string{"WLB-003"},
		Needs:        suites.Needs{Pools: []nodes.Pool{{Name: "pool", Count: size + 1, GPUs: 1}}},
		Weight:       24,
		Drive:        driveReplicas,
		Judge:        judgeReplicas,
	})
}

func driveReplicas(ctx context.Context, env suites.Env) error {
	if n := env.Pool("pool").Slots(kit.Worker); n != size+1 {
		return fmt.Errorf("the pool has %d slots, the scenario needs %d: check that its nodes exist and are empty", n, size+1)
	}
	env.Mark(ctx, "empty")
	owner, err := identity(ctx, env, flat)
	if err != nil {
		return err
	}
	fleet := shapes.LeaderWorkers{Identity: owner, Replicas: replicas, Size: size, Pod: podSpec(env, "pool")}
	if _, err := shapes.Reconcile(ctx, client{env}, fleet); err != nil {
		return err
	}
	kit.AwaitMark(ctx, env, "one runs", size, kit.Either(kit.Bound(fleet.Group(0), size), kit.Bound(fleet.Group(1), size)))
	if err := kit.Watch(ctx, env, "watching", "watched", size); err != nil {
		return err
	}
	if err := env.AddNodes(ctx, "pool", replicas*size-(size+1)); err != nil {
		return err
	}
	kit.AwaitMark(ctx, env, "both run", size, kit.All(kit.Bound(fleet.Group(0), size), kit.Bound(fleet.Group(1), size)))
	return ctx.Err()
}

func judgeReplicas(v *history.View) []suites.Finding {
	var all []*history.Pod
	opened := func() *kit.Case {
		c := kit.For(v, "WLB-003")
		all = nil
		for i := range replicas {
			all = append(all, c.Exist(groupName(i), size)...)
		}
		return c
	}
	first := opened()
	_, to := first.Watched("watching", "watched", size)
	first.RoomFor(first.Mark("empty"), all, size+1)
	running, part := 0, 0
	for i := range replicas {
		switch n := len(v.BoundAt(groupName(i), to)); n {
		case 0:
		case size:
			running++
		default:
			part++
		}
	}
	second := opened()
	end := second.Mark("both run")
	second.Fits(end, all)
	bound := 0
	for i := range replicas {
		bound += len(v.BoundAt(groupName(i), end))
	}
	return []suites.Finding{
		first.About(to).Holds(running == 1 && part == 0, "with room for one replica and a half %d run as a whole and %d in part; expected one and none", running, part),
		second.About(end).Holds(bound == replicas*size, "with room for both replicas %d of %d pods are bound", bound, replicas*size),
	}
}
