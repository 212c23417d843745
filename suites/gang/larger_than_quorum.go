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
		Name:         "gang-larger-than-quorum",
		Profile:      "gang",
		Summary:      "A gang has more members than its quorum, and room for all of them.",
		Requirements: []string{"GANG-004"},
		Needs:        needs(single(mainPool, 4)),
		Weight:       1,
		Drive:        driveLargerThanQuorum,
		Judge:        judgeLargerThanQuorum,
	})
}

func driveLargerThanQuorum(ctx context.Context, env suites.Env) error {
	n, err := slots(env, mainPool, 3)
	if err != nil {
		return err
	}
	env.Mark(ctx, "empty")
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: 2}, kit.Members(n, "g", mainPool)...); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "all bound", "g", n)
	return ctx.Err()
}

func judgeLargerThanQuorum(v *history.View) []suites.Finding {
	c := kit.For(v, "GANG-004")
	members := v.Members("g")
	c.Premise(len(members) > kit.Quorum(v, "g"), nil, "the gang has more members than its quorum")
	c.Fits(c.Mark("empty"), members)
	return []suites.Finding{c.Counts("all bound", "g", len(members))}
}
