package topology

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/suites/premise"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "topology-basic-group",
		Profile:      "topology",
		Summary:      "A group with the basic policy and a rack constraint has more pods than any rack takes.",
		Requirements: []string{"TAS-013", "TAS-014"},
		Needs:        needs(racks(2, 3, 1)),
		Weight:       26,
		Drive:        driveBasicGroup,
		Judge:        judgeBasicGroup,
	})
}

func driveBasicGroup(ctx context.Context, env suites.Env) error {
	if _, err := fill(ctx, env, "taken", "", rack(env, 0)[0]); err != nil {
		return err
	}
	env.Mark(ctx, "ready")
	g := build.Gang{Name: "g", Policy: build.BasicPolicy, TopologyKey: rackKey(env)}
	if err := kit.CreateGang(ctx, env, g, kit.Members(4, "g", mainPool)...); err != nil {
		return err
	}
	env.Await(ctx, "one rack is full", env.Settle(4), kit.Bound("g", 3))
	return kit.Watch(ctx, env, "created", "watched", 4)
}

func judgeBasicGroup(v *history.View) []suites.Finding {
	members, key := v.Members("g"), keyOf(v, "g")
	opened := func(id string) (*kit.Case, history.Stamp, history.Stamp) {
		c := kit.For(v, id)
		ready := c.Mark("ready")
		c.FitsWithin(ready, members, "", "", 4)
		c.ShortWithin(ready, members, key, "", 4)
		_, to := c.Watched("created", "watched", 4)
		return c, ready, to
	}
	one, _, to := opened("TAS-013")
	bound, in := v.BoundAt("g", to), domainsAt(v, "g", to)
	one.Premise(len(bound) > 0, nil, "members were bound")

	full, ready, _ := opened("TAS-014")
	full.Premise(len(in) == 1, nil, "the bound members stand in one rack")
	most := 0
	if len(in) == 1 && !ready.IsZero() {
		var err error
		most, err = premise.RoomWithin(v, ready, members, key, in[0])
		full.Premise(true, err, "the room of rack %s is known", in[0])
	}
	return []suites.Finding{
		one.About(to, kit.Objects(bound)...).Holds(len(in) == 1 && in[0] != "", "%d of %d pods stand in the racks %q; expected one rack", len(bound), len(members), in),
		full.About(to, kit.Objects(bound)...).Holds(len(bound) == most, "%d pods are bound in a rack that takes %d", len(bound), most),
	}
}
