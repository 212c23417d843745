package basic

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "basic-fits-in-part",
		Profile:      "basic",
		Summary:      "There is room for some members of a basic group; later there is room for all.",
		Requirements: []string{"BASIC-003"},
		Needs:        needs(4),
		Weight:       6,
		Drive:        driveFitsInPart,
		Judge:        judgeFitsInPart,
	})
}

func driveFitsInPart(ctx context.Context, env suites.Env) error {
	n, err := slots(env, 3)
	if err != nil {
		return err
	}
	taken, err := kit.Occupy(ctx, env, mainPool, "taken", "", 2)
	if err != nil {
		return err
	}
	env.Mark(ctx, "room taken")
	if err := kit.CreateGang(ctx, env, basicGroup(), members(n)...); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "room filled", group, n-len(taken))
	if err := kit.Vacate(ctx, env, taken...); err != nil {
		return err
	}
	env.Mark(ctx, "room made")
	kit.AwaitBound(ctx, env, "all bound", group, n)
	return ctx.Err()
}

func judgeFitsInPart(v *history.View) []suites.Finding {
	all := v.Members(group)
	fit := len(all) - 2

	fill := kit.For(v, "BASIC-003")
	fill.RoomFor(fill.Mark("room taken"), all, fit)

	rest := kit.For(v, "BASIC-003")
	rest.Fits(rest.Mark("room made"), all)
	return []suites.Finding{
		fill.Counts("room filled", group, fit),
		rest.Counts("all bound", group, len(all)),
	}
}
