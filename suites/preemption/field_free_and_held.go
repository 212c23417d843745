package preemption

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

// Seen in practice: with nothing evicted the gang does not fit, so room is made for all of it, and the free node counts
// for nothing.
func init() {
	suites.Register(suites.Scenario{
		Name:         "preemption-one-free-one-held",
		Profile:      "preemption",
		Summary:      "A gang of two finds one slot free, and three nodes whose other slots are held by pods of low priority.",
		Requirements: []string{"FIELD-011"},
		Needs:        needs(pool(mainPool, 2, 1), pool("wide", 2, 2)),
		Weight:       7,
		Drive:        driveFreeAndHeld,
		Judge:        judgeFreeAndHeld,
	})
}

func driveFreeAndHeld(ctx context.Context, env suites.Env) error {
	main, wide := env.Pool(mainPool).Nodes(), env.Pool("wide").Nodes()
	held := []string{wide[0], wide[1], wide[1]}
	if err := place(ctx, env, append(across(held, pod("wide", "wide", "low")), on(main[1], pod("low", mainPool, "low")))...); err != nil {
		return err
	}
	env.Mark(ctx, ready)
	if err := attack(ctx, env, "g", mainPool, 2, 2); err != nil {
		return err
	}
	if err := attack(ctx, env, "w", "wide", 2, 2); err != nil {
		return err
	}
	kit.AwaitOver(ctx, env, settled, 2, kit.All(kit.Bound("g", 2), kit.Bound("w", 2)))
	return ctx.Err()
}

func judgeFreeAndHeld(v *history.View) []suites.Finding {
	g := gang(v, "g", podsOf(v, "low")...)
	w := gang(v, "w", podsOf(v, "wide-0")...)
	return []suites.Finding{
		g.hit(g.opened("FIELD-011"), g.legal, 1, 1, "for a gang of two beside a free node"), g.bound(g.opened("FIELD-011"), 2),
		w.hit(w.opened("FIELD-011"), podsOf(v, "wide-0", "wide-1", "wide-2"), 1, 1, "for a gang of two beside a free slot"), w.bound(w.opened("FIELD-011"), 2),
	}
}
