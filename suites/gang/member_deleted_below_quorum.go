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
		Name:         "gang-member-deleted-below-quorum",
		Profile:      "gang",
		Summary:      "A waiting gang loses a member and then gets room; later the count is restored.",
		Requirements: []string{"GANG-061"},
		Needs:        needs(single(mainPool, 3)),
		Weight:       25,
		Drive:        driveMemberDeleted,
		Judge:        judgeMemberDeleted,
	})
}

func driveMemberDeleted(ctx context.Context, env suites.Env) error {
	n, err := slots(env, mainPool, 3)
	if err != nil {
		return err
	}
	taken, err := kit.Occupy(ctx, env, mainPool, "taken", "", 1)
	if err != nil {
		return err
	}
	members := kit.Members(n+1, "g", mainPool)
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: int32(n)}, members[:n]...); err != nil {
		return err
	}
	kit.AwaitTried(ctx, env, "g", n)
	if err := kit.Vacate(ctx, env, members[0].Name); err != nil {
		return err
	}
	env.Mark(ctx, "below quorum")
	// Only now is there room: before, the gang could not start whatever its count.
	if err := kit.Vacate(ctx, env, taken...); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "room", "watched", n); err != nil {
		return err
	}
	if err := env.CreatePods(ctx, members[n]); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "all bound", "g", n)
	return ctx.Err()
}

func judgeMemberDeleted(v *history.View) []suites.Finding {
	n := kit.Quorum(v, "g")
	opened := func() *kit.Case {
		c := kit.For(v, "GANG-061")
		below := c.Mark("below quorum")
		c.Premise(len(kit.AliveAt(v, "g", below)) == n-1, nil, "a member of the waiting gang was deleted")
		room, _ := c.Watched("room", "watched", n)
		c.Fits(room, kit.AliveAfter(v, "g", below))
		return c
	}
	restored := kit.LastCreated(v.Members("g"))
	return []suites.Finding{
		opened().NoneBefore("g", restored, "the member that restored the quorum"),
		opened().Counts("all bound", "g", n),
	}
}
