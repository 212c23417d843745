package devices

import (
	"context"
	stdslices "slices"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "devices-node-local",
		Profile:      "devices",
		Summary:      "Two gangs share a device that only one node reaches; one of them is too large for any node.",
		Requirements: []string{"DRA-011", "DRA-041"},
		Needs:        suites.Needs{Pools: []nodes.Pool{{Name: mainPool, Count: 2, CPU: "2"}}},
		Weight:       32,
		Drive:        driveNodeLocal,
		Judge:        judgeNodeLocal,
	})
}

// Each node takes two members and has two devices; the nodes together would take the larger gang.
func driveNodeLocal(ctx context.Context, env suites.Env) error {
	on := env.Pool(mainPool).Nodes()
	if err := publish(ctx, env, onNode(env, on[0], alike(2)...), onNode(env, on[1], alike(2)...)); err != nil {
		return err
	}
	for _, name := range []string{"large", "pair"} {
		if err := claim(ctx, env, name); err != nil {
			return err
		}
	}
	sized := func(n int, gang string) []build.Pod {
		pods := workers(n, gang, named("local", gang))
		for i := range pods {
			pods[i].CPU = "1"
		}
		return pods
	}
	large := build.Gang{Name: "large", Quorum: 3, Devices: []build.DeviceClaim{named("local", "large")}}
	if err := kit.CreateGang(ctx, env, large, sized(3, "large")...); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "too large", "watched", 3); err != nil {
		return err
	}
	pair := build.Gang{Name: "pair", Quorum: 2, Devices: []build.DeviceClaim{named("local", "pair")}}
	if err := kit.CreateGang(ctx, env, pair, sized(2, "pair")...); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "pair bound", "pair", 2)
	return ctx.Err()
}

func judgeNodeLocal(v *history.View) []suites.Finding {
	none := kit.For(v, "DRA-041")
	_, to := none.Watched("too large", "watched", 3)
	members := none.Exist("large", 3)
	none.Premise(len(supply(v, to)) > 0, nil, "there are devices")
	// The oracle knows no devices: that no node takes three of the pods is asked of it without them.
	for _, n := range v.Nodes {
		on, err := roomOn(v, to, n.Name, members)
		none.Premise(on < 3, err, "node %s takes fewer than 3 members (it takes %d)", n.Name, on)
	}

	local := kit.For(v, "DRA-011")
	at, pods := standing(local, v, "pair", "pair bound")
	c := exists(local, v, "pair")
	var where []string
	for _, p := range pods {
		if !stdslices.Contains(where, p.Node) {
			where = append(where, p.Node)
		}
	}
	ok := len(pods) == 2 && len(where) == 1 && c != nil && len(c.AllocationAt(at).Devices()) == 1 && c.AllocationAt(at).Devices()[0].Pool == where[0]
	return []suites.Finding{
		none.None("large", history.Stamp{}, to, "although no node that has a device takes all members"),
		local.About(at, "resourceclaim pair").Holds(ok, "%d of 2 members stand on %s, and the device they share is %s; expected both where it is", len(pods), list(where), list(held(c, at))),
	}
}
