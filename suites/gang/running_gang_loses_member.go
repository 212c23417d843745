package gang

import (
	"context"
	"slices"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "gang-running-gang-loses-a-member",
		Profile:      "gang",
		Summary:      "A running gang loses a member and falls below its quorum.",
		Requirements: []string{"GANG-062"},
		Needs:        needs(single(mainPool, 3)),
		Weight:       24,
		Drive:        driveRunningGangLosesMember,
		Judge:        judgeRunningGangLosesMember,
	})
}

func driveRunningGangLosesMember(ctx context.Context, env suites.Env) error {
	n, err := slots(env, mainPool, 3)
	if err != nil {
		return err
	}
	members := kit.Members(n, "g", mainPool)
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: int32(n)}, members...); err != nil {
		return err
	}
	if !kit.AwaitBound(ctx, env, "running", "g", n) {
		return ctx.Err() // the story has no beginning; other scenarios judge that
	}
	if err := kit.Vacate(ctx, env, members[0].Name); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "one lost", "watched", n)
}

func judgeRunningGangLosesMember(v *history.View) []suites.Finding {
	n := kit.Quorum(v, "g")
	c := kit.For(v, "GANG-062")
	running := c.Mark("running")
	c.Premise(len(v.BoundAt("g", running)) == n, nil, "the gang ran with its quorum of %d", n)
	_, to := c.Watched("one lost", "watched", n)
	// Whoever evicts the others may do so before the loss is seen: the driver's member is known by its request.
	rest := slices.DeleteFunc(kit.AliveAt(v, "g", running), v.DeletedByDriver)
	c.Premise(len(rest) == n-1, nil, "one member was lost")
	return []suites.Finding{c.Untouched(rest, running, to, "after their gang had lost a member")}
}
