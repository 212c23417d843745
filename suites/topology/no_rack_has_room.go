package topology

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "topology-no-rack-has-room",
		Profile:      "topology",
		Summary:      "No rack has room for a gang though the racks together have; then one has.",
		Requirements: []string{"TAS-002", "TAS-003"},
		Needs:        needs(racks(2, 3, 1)),
		Weight:       25,
		Drive:        driveNoRackHasRoom,
		Judge:        judgeNoRackHasRoom,
	})
}

func driveNoRackHasRoom(ctx context.Context, env suites.Env) error {
	taken, err := fill(ctx, env, "taken", "", rack(env, 0)[0], rack(env, 1)[0])
	if err != nil {
		return err
	}
	if err := kit.CreateGang(ctx, env, racked(env, "g", 3), kit.Members(3, "g", mainPool)...); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "no rack", "watched", 3); err != nil {
		return err
	}
	if err := kit.Vacate(ctx, env, taken[1]); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "all bound", "g", 3)
	return ctx.Err()
}

func judgeNoRackHasRoom(v *history.View) []suites.Finding {
	members, key := v.Members("g"), keyOf(v, "g")
	none := kit.For(v, "TAS-002")
	from, to := none.Watched("no rack", "watched", 3)
	none.FitsWithin(from, members, "", "", 3)
	none.NeverRoom(from, to, members, 3)

	later := kit.For(v, "TAS-003")
	later.Mark("watched")
	later.FitsWithin(later.Mark("all bound"), members, key, "", 3)
	return []suites.Finding{
		none.None("g", history.Stamp{}, to, "although no rack had room for the quorum"),
		together(later, v, "g", "all bound", 3),
	}
}
