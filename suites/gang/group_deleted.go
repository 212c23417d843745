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
		Name:         "gang-group-deleted-and-recreated",
		Profile:      "gang",
		Summary:      "The groups of a waiting and of a running gang are deleted; later the first is created again with another quorum.",
		Requirements: []string{"GANG-059", "GANG-060"},
		Needs:        needs(single(mainPool, 3), single("kept", 2), single("told", 1)),
		Weight:       27,
		Drive:        driveGroupDeleted,
		Judge:        judgeGroupDeleted,
	})
}

func driveGroupDeleted(ctx context.Context, env suites.Env) error {
	n, err := slots(env, mainPool, 3)
	if err != nil {
		return err
	}
	kept, err := slots(env, "kept", 2)
	if err != nil {
		return err
	}
	taken, err := kit.Occupy(ctx, env, mainPool, "taken", "", 1)
	if err != nil {
		return err
	}
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "kept", Quorum: int32(kept)}, kit.Members(kept, "kept", "kept")...); err != nil {
		return err
	}
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: int32(n)}, kit.Members(n, "g", mainPool)...); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "kept runs", "kept", kept)
	kit.AwaitTried(ctx, env, "g", n)
	for _, g := range []string{"g", "kept"} {
		if err := removeGroup(ctx, env, g); err != nil {
			return err
		}
	}
	env.Await(ctx, "the groups are gone", kit.Patience(env, 1), kit.All(kit.GangGone("g"), kit.GangGone("kept")))
	// Only now is there room: as long as the group was there, the gang could not start.
	if err := kit.Vacate(ctx, env, taken...); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "no group", "watched", n); err != nil {
		return err
	}
	// The new group asks for one member fewer, and there is room for just that: the old quorum could not be met.
	if _, err := kit.Occupy(ctx, env, mainPool, "taken-again", "", 1); err != nil {
		return err
	}
	if err := kit.Herald(ctx, env, "told", "herald"); err != nil {
		return err
	}
	env.Mark(ctx, "one slot short")
	if err := env.CreateGang(ctx, build.Gang{Name: "g", Quorum: int32(n - 1)}); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "new quorum bound", "g", n-1)
	return ctx.Err()
}

// removeGroup deletes a group that has living members. The API server keeps such a group for the finalizer that
// protects it, until the finalizer's controller sees no active member; so the driver takes the finalizer away itself.
// A group that is gone by then answers NotFound, which is as good.
func removeGroup(ctx context.Context, env suites.Env, gang string) error {
	if err := env.DeleteGang(ctx, gang); err != nil {
		return err
	}
	_, err := env.Try(ctx, "unprotect "+gang, suites.Attempt{
		Verb: "patch", GVR: podGroups, Name: gang, Patch: []byte(`{"metadata":{"finalizers":null}}`),
	})
	return err
}

func judgeGroupDeleted(v *history.View) []suites.Finding {
	members := v.Members("g")
	n := len(members)
	gone, back := lifeOf(v, "g")
	keptGone, _ := lifeOf(v, "kept")

	wait := kit.For(v, "GANG-059")
	from, to := wait.Watched("no group", "watched", n)
	wait.Premise(!gone.IsZero() && gone.Before(from), nil, "the group was gone before there was room")
	wait.Fits(from, members)

	keep := kit.For(v, "GANG-059")
	runs := keep.Mark("kept runs")
	running := v.BoundAt("kept", runs)
	keep.Premise(len(running) > 0 && len(running) == len(v.Members("kept")), nil, "a second gang ran")
	keep.Premise(!keptGone.IsZero(), nil, "the second gang's group was removed")
	_, end := keep.Watched("no group", "watched", n)

	again := kit.For(v, "GANG-060")
	again.Premise(!back.IsZero(), nil, "the group was created again")
	again.RoomFor(again.Mark("one slot short"), members, n-1)
	return []suites.Finding{
		wait.None("g", history.Stamp{}, to, "while their group did not exist or could not fit"),
		keep.Untouched(running, runs, end, "after the group of their running gang was deleted"),
		again.NoneBefore("g", back, "their group existed again"),
		again.Counts("new quorum bound", "g", n-1),
	}
}

// lifeOf is where the first incarnation of a gang's object ended, and where the second began; zero: never.
func lifeOf(v *history.View, gang string) (gone, back history.Stamp) {
	lives := v.GangsNamed(gang)
	if len(lives) > 0 {
		gone = lives[0].Gone
	}
	if len(lives) > 1 {
		back = lives[1].Created
	}
	return gone, back
}
