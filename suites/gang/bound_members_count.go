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
		Name:         "gang-bound-members-count",
		Profile:      "gang",
		Summary:      "A member is created on a node by the driver; the members left to schedule are one fewer than the quorum.",
		Requirements: []string{"GANG-007"},
		Needs:        needs(single(mainPool, 3)),
		Weight:       3,
		Drive:        driveBoundMembersCount,
		Judge:        judgeBoundMembersCount,
	})
}

func driveBoundMembersCount(ctx context.Context, env suites.Env) error {
	n, err := slots(env, mainPool, 3)
	if err != nil {
		return err
	}
	members := kit.Members(n, "g", mainPool)
	members[0].NodeName = env.Pool(mainPool).Nodes()[0]
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: int32(n)}, members[0]); err != nil {
		return err
	}
	env.Await(ctx, "the placed member is seen", env.Settle(1), kit.PodsBound(members[0].Name))
	env.Mark(ctx, "one placed")
	if err := env.CreatePods(ctx, members[1:]...); err != nil {
		return err
	}
	kit.AwaitOver(ctx, env, "all bound", n, kit.Bound("g", n))
	return ctx.Err()
}

func judgeBoundMembersCount(v *history.View) []suites.Finding {
	n := kit.Quorum(v, "g")
	c := kit.For(v, "GANG-007")
	start := c.Mark("one placed")
	c.Exist("g", n)
	before := v.BoundAt("g", start)
	c.Premise(len(before) == 1 && !before[0].ByScheduler(), nil, "one member was placed by the driver")
	c.Fits(start, kit.CreatedAfter(v, "g", start))
	return []suites.Finding{c.Counts("all bound", "g", n)}
}
