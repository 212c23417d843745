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
		Name:         "gang-waits-for-quorum",
		Profile:      "gang",
		Summary:      "All members of a gang but one are created, with room for all; later the last one comes.",
		Requirements: []string{"GANG-001", "GANG-002"},
		Needs:        needs(single(mainPool, 3)),
		Weight:       24,
		Drive:        driveWaitsForQuorum,
		Judge:        judgeWaitsForQuorum,
	})
}

func driveWaitsForQuorum(ctx context.Context, env suites.Env) error {
	n, err := slots(env, mainPool, 2)
	if err != nil {
		return err
	}
	members := kit.Members(n, "g", mainPool)
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: int32(n)}, members[:n-1]...); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "one short", "watched", n); err != nil {
		return err
	}
	if err := env.CreatePods(ctx, members[n-1]); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "complete", "g", n)
	return ctx.Err()
}

func judgeWaitsForQuorum(v *history.View) []suites.Finding {
	n := kit.Quorum(v, "g")

	short := kit.For(v, "GANG-001")
	from, _ := short.Watched("one short", "watched", n)
	short.Fits(from, short.Exist("g", n))

	full := kit.For(v, "GANG-002")
	full.Fits(full.Mark("watched"), full.Exist("g", n))
	return []suites.Finding{
		short.NoneBefore("g", kit.LastCreated(v.Members("g")), "the member that completes the quorum"),
		full.Counts("complete", "g", n),
	}
}
