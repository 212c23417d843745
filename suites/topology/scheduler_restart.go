package topology

import (
	"context"
	"fmt"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	n := needs(racks(2, 3, 1))
	n.Capabilities = []string{"restart-scheduler"}
	suites.Register(suites.Scenario{
		Name:         "topology-scheduler-restart",
		Profile:      "topology",
		Summary:      "The scheduler is restarted between a gang's quorum and a late member; another rack is emptier.",
		Requirements: []string{"TAS-009"},
		Needs:        n,
		Isolation:    suites.Exclusive,
		Weight:       3,
		Drive:        driveSchedulerRestart,
		Judge:        judgeSchedulerRestart,
	})
}

func driveSchedulerRestart(ctx context.Context, env suites.Env) error {
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
	if err := env.RestartScheduler(ctx); err != nil {
		return fmt.Errorf("restarting the scheduler: %w", err)
	}
	env.Mark(ctx, "back")
	if err := env.CreatePods(ctx, numbered("g", 2, 1)...); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "all bound", "g", 3)
	return ctx.Err()
}

func judgeSchedulerRestart(v *history.View) []suites.Finding {
	c := kit.For(v, "TAS-009")
	_, home := whole(c, v, "g", "quorum bound")
	c.FitsWithin(c.Mark("back"), kit.Named(v, "g-2"), keyOf(v, "g"), home, 1)
	return []suites.Finding{inside(c, v, "g", "all bound", home, 3)}
}
