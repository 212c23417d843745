package gang

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "gang-partly-fits-above-quorum",
		Profile:      "gang",
		Summary:      "There is room for the quorum but not for all members; later there is room for all.",
		Requirements: []string{"GANG-005"},
		Needs:        needs(single(mainPool, 4)),
		Weight:       31,
		Drive:        drivePartlyFits,
		Judge:        judgePartlyFits,
	})
}

func drivePartlyFits(ctx context.Context, env suites.Env) error {
	n, err := slots(env, mainPool, 4)
	if err != nil {
		return err
	}
	taken, err := kit.Occupy(ctx, env, mainPool, "taken", "", 1)
	if err != nil {
		return err
	}
	env.Mark(ctx, "one slot taken")
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: 2}, kit.Members(n, "g", mainPool)...); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "room filled", "g", n-1)
	// Long enough to see a surplus member that is bound although there is no room for it.
	if err := kit.Watch(ctx, env, "full", "watched", n); err != nil {
		return err
	}
	if err := kit.Vacate(ctx, env, taken...); err != nil {
		return err
	}
	env.Mark(ctx, "slot freed")
	kit.AwaitBound(ctx, env, "all bound", "g", n)
	return ctx.Err()
}

func judgePartlyFits(v *history.View) []suites.Finding {
	members := v.Members("g")
	n := len(members)

	fill := kit.For(v, "GANG-005")
	fill.Premise(n-1 >= kit.Quorum(v, "g"), nil, "all members but one are enough for the quorum")
	fill.ShortByOne(fill.Mark("one slot taken"), members)
	fill.Watched("full", "watched", n)

	rest := kit.For(v, "GANG-005")
	rest.Fits(rest.Mark("slot freed"), members)
	return []suites.Finding{
		fill.Counts("room filled", "g", n-1),
		fill.Counts("watched", "g", n-1),
		rest.Counts("all bound", "g", n),
	}
}
