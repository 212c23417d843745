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
		Name:         "gang-quorum-of-one",
		Profile:      "gang",
		Summary:      "A gang with a quorum of one has three members and room for one.",
		Requirements: []string{"GANG-017"},
		Needs:        needs(single(mainPool, 1)),
		Weight:       1,
		Drive:        driveQuorumOfOne,
		Judge:        judgeQuorumOfOne,
	})
}

func driveQuorumOfOne(ctx context.Context, env suites.Env) error {
	free, err := slots(env, mainPool, 1)
	if err != nil {
		return err
	}
	env.Mark(ctx, "empty")
	n := free + 2
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: 1}, kit.Members(n, "g", mainPool)...); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "room filled", "g", free)
	return ctx.Err()
}

func judgeQuorumOfOne(v *history.View) []suites.Finding {
	members := v.Members("g")
	c := kit.For(v, "GANG-017")
	c.Premise(kit.Quorum(v, "g") == 1, nil, "the quorum is one")
	c.RoomFor(c.Mark("empty"), members, len(members)-2)
	return []suites.Finding{c.Counts("room filled", "g", len(members)-2)}
}
