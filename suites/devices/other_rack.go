package devices

import (
	"context"
	"fmt"
	"strings"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "devices-other-rack",
		Profile:      "devices",
		Summary:      "A gang that demands one rack holds a device in one that has no room for its new members, and another has both.",
		Requirements: []string{"DRA-056"},
		Needs:        suites.Needs{Pools: []nodes.Pool{{Name: mainPool, Count: 2, NodesPerRack: 1, RackKey: "unique", CPU: "2"}}},
		Weight:       32,
		Drive:        driveOtherRack,
		Judge:        judgeOtherRack,
	})
}

// Only one rack has a device when the gang comes; its claim keeps it when its members have gone.
func driveOtherRack(ctx context.Context, env suites.Env) error {
	on := env.Pool(mainPool).Nodes()
	if err := publish(ctx, env, onNode(env, on[0], alike(1)...)); err != nil {
		return err
	}
	if err := claim(ctx, env, "shared"); err != nil {
		return err
	}
	entry := named("gpu", "shared")
	members := workers(4, "g", entry)
	for i := range members {
		members[i].CPU = "1"
	}
	g := build.Gang{Name: "g", Quorum: 2, TopologyKey: env.Pool(mainPool).Spec().RackKey, Devices: []build.DeviceClaim{entry}}
	if err := kit.CreateGang(ctx, env, g, members[:2]...); err != nil {
		return err
	}
	if !kit.AwaitBound(ctx, env, "bound", "g", 2) {
		return ctx.Err()
	}
	if err := kit.Vacate(ctx, env, members[0].Name, members[1].Name); err != nil {
		return err
	}
	filler := worker("filler", "")
	filler.CPU, filler.NodeName = "1", on[0]
	if err := env.CreatePods(ctx, filler); err != nil {
		return err
	}
	if err := add(ctx, env, onNode(env, on[1], alike(1)...)); err != nil {
		return err
	}
	env.Hold(ctx, "the devices and the filler are known", glance)
	if err := env.CreatePods(ctx, members[2:]...); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "come again", "watched", 2)
}

func judgeOtherRack(v *history.View) []suites.Finding {
	c := kit.For(v, "DRA-056")
	from, to := c.Watched("come again", "watched", 2)
	shared := exists(c, v, "shared")
	g := v.Gang("g")
	c.Premise(g != nil && g.TopologyKey != "", nil, "the gang demands one rack")
	again := kit.AliveAt(v, "g", from)
	c.Premise(len(again) == 2 && len(v.Members("g")) == 4, nil, "two members were there again, after two others")
	was := held(shared, from)
	c.Premise(len(was) == 1, nil, "their claim held a device when they came (it held %s)", list(was))
	if g == nil || len(again) != 2 || len(was) != 1 {
		return []suites.Finding{c.Holds(false, "nothing to look at")}
	}
	there := rackOf(v, was[0], g.TopologyKey, from)
	// The oracle knows no devices: what the nodes take of the pods is asked of it without them. A rack is one node.
	for _, n := range v.Nodes {
		on, err := roomOn(v, from, n.Name, again)
		if kit.DomainOf(v, n.Name, g.TopologyKey, from) == there {
			c.Premise(on < 2, err, "the rack of the device takes fewer than 2 members (it takes %d)", on)
		} else {
			c.Premise(on >= 2, err, "the other rack takes 2 members (it takes %d)", on)
		}
	}
	placed := v.BoundAt("g", to)
	where := "no device"
	if now := held(shared, to); len(now) == 1 {
		where = "a device of the same rack"
		if rackOf(v, now[0], g.TopologyKey, to) != there {
			where = "a device of the other rack"
		}
	}
	return []suites.Finding{c.About(to, "resourceclaim shared").Saw(
		fmt.Sprintf("%d of 2 members are bound, and the claim holds %s", len(placed), where),
		"a gang that holds a device in a rack without room for it")}
}

// rackOf is the domain of the node that a device (pool/device) is on: pools are called after their nodes.
func rackOf(v *history.View, device, key string, at history.Stamp) string {
	node, _, _ := strings.Cut(device, "/")
	return kit.DomainOf(v, node, key, at)
}
