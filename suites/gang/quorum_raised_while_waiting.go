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
		Name:         "gang-quorum-raised-while-waiting",
		Profile:      "gang",
		Summary:      "The quorum of a gang that lacks room is raised.",
		Requirements: []string{"GANG-014"},
		Needs:        needs(single(mainPool, 2)),
		Weight:       28,
		Drive:        driveQuorumRaisedWhileWaiting,
		Judge:        judgeQuorumRaisedWhileWaiting,
	})
}

func driveQuorumRaisedWhileWaiting(ctx context.Context, env suites.Env) error {
	free, err := slots(env, mainPool, 2)
	if err != nil {
		return err
	}
	n := free + 2
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: int32(n - 1)}, kit.Members(n, "g", mainPool)...); err != nil {
		return err
	}
	kit.AwaitTried(ctx, env, "g", n)
	if err := env.SetQuorum(ctx, "g", int32(n)); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "quorum raised", "watched", n)
}

func judgeQuorumRaisedWhileWaiting(v *history.View) []suites.Finding {
	members := v.Members("g")
	raised := kit.QuorumChange(v, "g")
	c := kit.For(v, "GANG-014")
	from, to := c.Watched("quorum raised", "watched", len(members))
	c.Premise(!raised.IsZero(), nil, "the quorum was raised")
	c.NeverRoom(from, to, members, kit.Quorum(v, "g"))
	return []suites.Finding{c.Saw(nextAttempt(members, raised, to), "the next reported attempt after the quorum was raised")}
}
