package topology

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "topology-one-rack-has-room",
		Profile:      "topology",
		Summary:      "Of two racks one is too full for a gang that demands one rack.",
		Requirements: []string{"TAS-001", "TAS-023"},
		Needs:        needs(racks(2, 3, 1)),
		Weight:       1,
		Drive:        driveOneRackHasRoom,
		Judge:        judgeOneRackHasRoom,
	})
}

func driveOneRackHasRoom(ctx context.Context, env suites.Env) error {
	if _, err := fill(ctx, env, "taken", "", rack(env, 0)[0]); err != nil {
		return err
	}
	env.Mark(ctx, "ready")
	if err := kit.CreateGang(ctx, env, racked(env, "g", 3), kit.Members(3, "g", mainPool)...); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "all bound", "g", 3)
	return ctx.Err()
}

func judgeOneRackHasRoom(v *history.View) []suites.Finding {
	members := v.Members("g")
	key := keyOf(v, "g")
	opened := func(id string) *kit.Case {
		c := kit.For(v, id)
		at := c.Mark("ready")
		c.FitsWithin(at, members, key, "", 3)
		c.ShortWithin(at, members, "", "", 6) // some nodes are taken
		return c
	}
	// Wherever members are bound, they share a rack; that they are bound at all is the other requirement.
	share := opened("TAS-001")
	at := share.Mark("all bound")
	bound := v.BoundAt("g", at)
	share.Premise(len(bound) > 0, nil, "members were bound")
	in := domainsAt(v, "g", at)
	return []suites.Finding{
		share.About(at, kit.Objects(bound)...).Holds(len(in) == 1 && in[0] != "", "%d members stand in the racks %q; expected one rack", len(bound), in),
		opened("TAS-023").Counts("all bound", "g", 3),
	}
}
