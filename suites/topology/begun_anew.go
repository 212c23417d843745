package topology

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "topology-begun-anew",
		Profile:      "topology",
		Summary:      "All members of a gang end and come again when their old rack is taken and another is free.",
		Requirements: []string{"TAS-032"},
		Needs:        needs(racks(2, 2, 1)),
		Weight:       3,
		Drive:        driveBegunAnew,
		Judge:        judgeBegunAnew,
	})
}

func driveBegunAnew(ctx context.Context, env suites.Env) error {
	other, err := fill(ctx, env, "other", "", rack(env, 1)...)
	if err != nil {
		return err
	}
	if err := kit.CreateGang(ctx, env, racked(env, "g", 2), numbered("g", 0, 2)...); err != nil {
		return err
	}
	if !kit.AwaitBound(ctx, env, "first run", "g", 2) {
		return ctx.Err()
	}
	if err := kit.Vacate(ctx, env, "g-0", "g-1"); err != nil {
		return err
	}
	if _, err := fill(ctx, env, "own", "", rack(env, 0)...); err != nil {
		return err
	}
	if err := kit.Vacate(ctx, env, other...); err != nil {
		return err
	}
	env.Mark(ctx, "nobody left")
	if err := env.CreatePods(ctx, numbered("g", 2, 2)...); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "second run", "g", 2)
	return ctx.Err()
}

func judgeBegunAnew(v *history.View) []suites.Finding {
	c := kit.For(v, "TAS-032")
	_, first := whole(c, v, "g", "first run")
	left := c.Mark("nobody left")
	fresh := kit.Named(v, "g-2", "g-3")
	c.Premise(len(v.BoundAt("g", left)) == 0, nil, "no member was left")
	c.FitsWithin(left, fresh, keyOf(v, "g"), "", 2)
	c.ShortWithin(left, fresh, keyOf(v, "g"), first, 1)
	return []suites.Finding{together(c, v, "g", "second run", 2)}
}
