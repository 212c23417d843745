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
		Name:         "gang-gated-member-joins",
		Profile:      "gang",
		Summary:      "A member with a scheduling gate joins a gang that was tried and waits for room; then there is room for all.",
		Requirements: []string{"GANG-020"},
		Needs:        needs(single(mainPool, 3)),
		Weight:       24,
		Drive:        driveGatedMemberJoins,
		Judge:        judgeGatedMemberJoins,
	})
}

func driveGatedMemberJoins(ctx context.Context, env suites.Env) error {
	n, err := slots(env, mainPool, 3)
	if err != nil {
		return err
	}
	// One slot is left: the quorum, which is one less than there are slots, is short by at least one.
	taken, err := kit.Occupy(ctx, env, mainPool, "taken", "", n-1)
	if err != nil {
		return err
	}
	members := kit.Members(n, "g", mainPool)
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: int32(n - 1)}, members[:n-1]...); err != nil {
		return err
	}
	kit.AwaitTried(ctx, env, "g", n-1)
	env.Mark(ctx, "waits for room")
	members[n-1].Gates = []string{"muster.dev/held"}
	if err := env.CreatePods(ctx, members[n-1]); err != nil {
		return err
	}
	// The room comes through the scheduler's watch of pods as the member does, and after it.
	env.Await(ctx, "the gated member is seen", kit.Patience(env, 1), kit.MembersSeen("g", n))
	if err := kit.Vacate(ctx, env, taken...); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "room", "watched", n)
}

func judgeGatedMemberJoins(v *history.View) []suites.Finding {
	c := kit.For(v, "GANG-020")
	quorum := kit.Quorum(v, "g")
	waits := c.Mark("waits for room")
	from, to := c.Watched("room", "watched", len(v.Members("g")))
	first, joined := kit.CreatedUpTo(v, "g", waits), kit.CreatedAfter(v, "g", waits)
	c.Premise(quorum > 1 && len(first) == quorum && len(joined) == 1, nil,
		"one member joined a gang of as many as its quorum of %d (before: %d, after: %d)", quorum, len(first), len(joined))
	c.RoomFor(waits, first, 1)
	c.Premise(len(v.BoundAt("g", waits)) == 0, nil, "no member was bound when it joined")
	for _, p := range joined {
		gated, _ := history.ValueAt(p.Gated, to)
		c.Premise(gated && p.Created.Before(from), nil, "it came before the room did, and was gated to the end")
	}
	c.Fits(from, append(first, joined...))
	return []suites.Finding{c.Saw(fmt.Sprintf("%d of %d members without a gate bound", len(v.BoundAt("g", to)), quorum),
		"what becomes of a gang that waits for room when a gated member joins it and the room comes")}
}
