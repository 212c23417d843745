package gang

import (
	"context"
	"fmt"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "gang-group-being-deleted",
		Profile:      "gang",
		Summary:      "A group is being deleted, kept by its protection, when the member that completes its quorum comes.",
		Requirements: []string{"GANG-066"},
		Needs:        needs(single(mainPool, 3)),
		Weight:       22,
		Drive:        driveGroupGoing,
		Judge:        judgeGroupGoing,
	})
}

func driveGroupGoing(ctx context.Context, env suites.Env) error {
	n, err := slots(env, mainPool, 2)
	if err != nil {
		return err
	}
	members := kit.Members(n, "g", mainPool)
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: int32(n)}, members[:n-1]...); err != nil {
		return err
	}
	if err := env.DeleteGang(ctx, "g"); err != nil {
		return err
	}
	env.Await(ctx, "the group is being deleted", env.Settle(1), func(v *history.View) bool {
		g := v.Gang("g")
		return g != nil && !g.Deleting.IsZero()
	})
	env.Mark(ctx, "on its way out")
	if err := env.CreatePods(ctx, members[n-1]); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "complete", "watched", n)
}

func judgeGroupGoing(v *history.View) []suites.Finding {
	c := kit.For(v, "GANG-066")
	g, quorum := v.Gang("g"), kit.Quorum(v, "g")
	going := c.Mark("on its way out")
	from, to := c.Watched("complete", "watched", quorum)
	c.Premise(g != nil && !g.Deleting.IsZero() && !g.Deleting.After(going), nil, "the group was being deleted before its quorum was complete")
	c.Premise(g != nil && (g.Gone.IsZero() || g.Gone.After(to)), nil, "the group still existed in the end")
	members := kit.AliveAt(v, "g", from)
	c.Premise(len(members) == quorum, nil, "all %d members exist (seen: %d)", quorum, len(members))
	c.Fits(from, members)
	return []suites.Finding{c.Saw(fmt.Sprintf("%d of %d members bound", len(kit.BoundBetween(v, "g", history.Stamp{}, to)), quorum),
		"what becomes of a gang that is complete, and has room, while its group is being deleted")}
}
