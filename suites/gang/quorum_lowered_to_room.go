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
		Name:         "gang-quorum-lowered-to-room",
		Profile:      "gang",
		Summary:      "A gang is one slot short of its quorum; the quorum is lowered to the slots there are.",
		Requirements: []string{"GANG-013"},
		Needs:        needs(single(mainPool, 3)),
		Weight:       4,
		Drive:        driveQuorumLoweredToRoom,
		Judge:        judgeQuorumLoweredToRoom,
	})
}

func driveQuorumLoweredToRoom(ctx context.Context, env suites.Env) error {
	free, err := slots(env, mainPool, 2)
	if err != nil {
		return err
	}
	n := free + 1
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: int32(n)}, kit.Members(n, "g", mainPool)...); err != nil {
		return err
	}
	kit.AwaitTried(ctx, env, "g", n)
	env.Mark(ctx, "one slot short")
	if err := env.SetQuorum(ctx, "g", int32(free)); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "room filled", "g", free)
	return ctx.Err()
}

func judgeQuorumLoweredToRoom(v *history.View) []suites.Finding {
	members := v.Members("g")
	lowered := kit.QuorumChange(v, "g")
	judged := func() *kit.Case {
		c := kit.For(v, "GANG-013")
		c.ShortByOne(c.Mark("one slot short"), members)
		c.Premise(!lowered.IsZero() && kit.Quorum(v, "g") == len(members)-1, nil, "the quorum was lowered to the room there was")
		return c
	}
	return []suites.Finding{
		judged().NoneBefore("g", lowered, "the quorum was lowered"),
		judged().Counts("room filled", "g", len(members)-1),
	}
}
