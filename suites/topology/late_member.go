package topology

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "topology-late-member",
		Profile:      "topology",
		Summary:      "A member comes when the gang's rack is full and another is empty; then its rack has room again.",
		Requirements: []string{"TAS-006", "TAS-007"},
		Needs:        needs(racks(2, 3, 1)),
		Weight:       22,
		Drive:        driveLateMember,
		Judge:        judgeLateMember,
	})
}

func driveLateMember(ctx context.Context, env suites.Env) error {
	other, err := fill(ctx, env, "other", "", rack(env, 1)...)
	if err != nil {
		return err
	}
	own, err := fill(ctx, env, "own", "", rack(env, 0)[2])
	if err != nil {
		return err
	}
	if err := kit.CreateGang(ctx, env, racked(env, "g", 2), numbered("g", 0, 2)...); err != nil {
		return err
	}
	if !kit.AwaitBound(ctx, env, "quorum bound", "g", 2) {
		return ctx.Err() // the story has no beginning; other scenarios judge that
	}
	if err := kit.Vacate(ctx, env, other...); err != nil {
		return err
	}
	if err := env.CreatePods(ctx, numbered("g", 2, 1)...); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "own rack full", "watched", 3); err != nil {
		return err
	}
	if err := kit.Vacate(ctx, env, own...); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "all bound", "g", 3)
	return ctx.Err()
}

func judgeLateMember(v *history.View) []suites.Finding {
	key := keyOf(v, "g")
	wait := kit.For(v, "TAS-007")
	start, home := whole(wait, v, "g", "quorum bound")
	late := kit.Named(v, "g-2")
	from, to := wait.Watched("own rack full", "watched", 3)
	wait.FitsWithin(from, late, "", "", 1)
	wait.ShortWithin(from, late, key, home, 1)
	// A fast scheduler binds it before its creation is answered, and so before the mark.
	bound := kit.BoundBetween(v, "g", start, to)

	join := kit.For(v, "TAS-006")
	_, home = whole(join, v, "g", "quorum bound")
	join.FitsWithin(join.Mark("all bound"), late, key, home, 1)
	return []suites.Finding{
		wait.About(to, kit.Objects(bound)...).Holds(len(bound) == 0, "the late member was bound although the gang's rack %q was full", home),
		inside(join, v, "g", "all bound", home, 3),
	}
}
