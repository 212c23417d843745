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
		Name:         "gang-quorum-lowered-to-members",
		Profile:      "gang",
		Summary:      "A gang lacks a member of its quorum; the quorum is lowered to the members there are.",
		Requirements: []string{"GANG-012"},
		Needs:        needs(single(mainPool, 3)),
		Weight:       3,
		Drive:        driveQuorumLoweredToMembers,
		Judge:        judgeQuorumLoweredToMembers,
	})
}

func driveQuorumLoweredToMembers(ctx context.Context, env suites.Env) error {
	n, err := slots(env, mainPool, 2)
	if err != nil {
		return err
	}
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: int32(n + 1)}, kit.Members(n, "g", mainPool)...); err != nil {
		return err
	}
	// Long enough for the scheduler to have seen the gang as it is; the settle bound is gang-waits-for-quorum's matter.
	env.Hold(ctx, "the gang is seen one member short", glance)
	env.Mark(ctx, "one short")
	if err := env.SetQuorum(ctx, "g", int32(n)); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "all bound", "g", n)
	return ctx.Err()
}

func judgeQuorumLoweredToMembers(v *history.View) []suites.Finding {
	members := v.Members("g")
	n := len(members)
	lowered := kit.QuorumChange(v, "g")

	judged := func() *kit.Case {
		c := kit.For(v, "GANG-012")
		c.Fits(c.Mark("one short"), members)
		c.Premise(!lowered.IsZero() && kit.Quorum(v, "g") == n, nil, "the quorum was lowered to the %d members", n)
		return c
	}
	return []suites.Finding{
		judged().NoneBefore("g", lowered, "the quorum was lowered"),
		judged().Counts("all bound", "g", n),
	}
}
