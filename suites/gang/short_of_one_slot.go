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
		Name:         "gang-short-of-one-slot",
		Profile:      "gang",
		Summary:      "A gang finds room for all of its quorum but one; then a plain pod of the same shape comes.",
		Requirements: []string{"GANG-003", "GANG-053", "GANG-067"},
		Needs:        needs(single(mainPool, 3)),
		Weight:       27,
		Drive:        driveShortOfOneSlot,
		Judge:        judgeShortOfOneSlot,
	})
}

func driveShortOfOneSlot(ctx context.Context, env suites.Env) error {
	free, err := slots(env, mainPool, 1)
	if err != nil {
		return err
	}
	n := free + 1
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: int32(n)}, kit.Members(n, "g", mainPool)...); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "one slot short", "watched", n); err != nil {
		return err
	}
	if err := env.CreatePods(ctx, kit.Plain("plain", mainPool)); err != nil {
		return err
	}
	kit.AwaitMark(ctx, env, "plain pod", 1, kit.PodsBound("plain"))
	if err := ctx.Err(); err != nil {
		return err
	}
	return lookUpEvents(ctx, env, "g", "plain")
}

func judgeShortOfOneSlot(v *history.View) []suites.Finding {
	n := kit.Quorum(v, "g")
	members := v.Members("g")

	none := kit.For(v, "GANG-003")
	from, to := none.Watched("one slot short", "watched", n)
	none.Exist("g", n)
	none.ShortByOne(from, members)
	none.NeverRoom(from, to, members, n)

	// What a gang that cannot start leaves free is free for others: nothing is held back for it.
	usable := kit.For(v, "GANG-053")
	plain := kit.Named(v, "plain")
	usable.Fits(usable.Mark("watched"), plain)
	done := usable.Mark("plain pod")
	return []suites.Finding{
		none.None("g", history.Stamp{}, done, "although there was never room for the quorum"),
		usable.About(done, kit.Objects(plain)...).Holds(len(plain) == 1 && !plain[0].Bound.After(done),
			"a plain pod beside the waiting gang fits and has to be bound"),
		judgeEvents(v, "g", "plain"),
	}
}
