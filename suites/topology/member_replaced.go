package topology

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "topology-member-replaced",
		Profile:      "topology",
		Summary:      "A running member is deleted and comes again; another rack is emptier than its own.",
		Requirements: []string{"TAS-008"},
		Needs:        needs(racks(2, 2, 1)),
		Weight:       2,
		Drive:        driveMemberReplaced,
		Judge:        judgeMemberReplaced,
	})
}

func driveMemberReplaced(ctx context.Context, env suites.Env) error {
	other, err := fill(ctx, env, "other", "", rack(env, 1)...)
	if err != nil {
		return err
	}
	if err := kit.CreateGang(ctx, env, racked(env, "g", 2), numbered("g", 0, 2)...); err != nil {
		return err
	}
	if !kit.AwaitBound(ctx, env, "quorum bound", "g", 2) {
		return ctx.Err()
	}
	if err := kit.Vacate(ctx, env, other...); err != nil {
		return err
	}
	if err := kit.Vacate(ctx, env, "g-0"); err != nil {
		return err
	}
	env.Mark(ctx, "member lost")
	if err := env.CreatePods(ctx, numbered("g", 2, 1)...); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "replaced", "g", 2)
	return ctx.Err()
}

func judgeMemberReplaced(v *history.View) []suites.Finding {
	c := kit.For(v, "TAS-008")
	_, home := whole(c, v, "g", "quorum bound")
	lost := c.Mark("member lost")
	fresh := kit.Named(v, "g-2")
	c.FitsWithin(lost, fresh, keyOf(v, "g"), home, 1)
	c.Premise(len(v.BoundAt("g", lost)) == 1, nil, "one member was left")
	return []suites.Finding{inside(c, v, "g", "replaced", home, 2)}
}
