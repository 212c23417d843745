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
		Name:         "gang-late-member-joins",
		Profile:      "gang",
		Summary:      "A member is created after the gang's quorum runs.",
		Requirements: []string{"GANG-006"},
		Needs:        needs(single(mainPool, 3)),
		Weight:       1,
		Drive:        driveLateMember,
		Judge:        judgeLateMember,
	})
}

func driveLateMember(ctx context.Context, env suites.Env) error {
	n, err := slots(env, mainPool, 3)
	if err != nil {
		return err
	}
	members := kit.Members(n, "g", mainPool)
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: int32(n - 1)}, members[:n-1]...); err != nil {
		return err
	}
	if !kit.AwaitBound(ctx, env, "quorum bound", "g", n-1) {
		return ctx.Err() // the story has no beginning; other scenarios judge that
	}
	if err := env.CreatePods(ctx, members[n-1]); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "late member bound", "g", n)
	return ctx.Err()
}

func judgeLateMember(v *history.View) []suites.Finding {
	c := kit.For(v, "GANG-006")
	start := c.Mark("quorum bound")
	c.Premise(len(v.BoundAt("g", start)) == kit.Quorum(v, "g"), nil, "the quorum ran before the late member came")
	c.Fits(start, kit.CreatedAfter(v, "g", start))
	return []suites.Finding{c.Counts("late member bound", "g", len(v.Members("g")))}
}
