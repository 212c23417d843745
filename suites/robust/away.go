package robust

import (
	"context"

	"muster/fakes/faults"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

// awaySize is the size of the gangs.
const awaySize = 2

func init() {
	suites.Register(scenario(suites.Scenario{
		Name: "robust-api-away",
		Summary: "The API server is away for the scheduler while a gang is half bound and another is created, " +
			"and comes back with expired watches.",
		Requirements: []string{"ROB-008"},
		Needs:        needs(map[string]int{"before": awaySize, "meanwhile": awaySize}),
		Weight:       15,
		Drive:        driveAway,
		Judge:        judgeAway,
	}))
}

func driveAway(ctx context.Context, env suites.Env) error {
	f, err := suites.FaultsOf(env)
	if err != nil {
		return err
	}
	rule := bindsOf(env, "under way", "before", faults.Fault{Hang: true})
	rule.Skip = 1
	expired := faults.Rule{Name: "expired", Verb: "watch", Resource: "p*", Times: 2, Fault: faults.Fault{Status: 410}}
	if err := f.Break(ctx, rule, expired); err != nil {
		return err
	}
	if err := gang(ctx, env, "before", "before", awaySize); err != nil {
		return err
	}
	env.Await(ctx, "one is bound, another under way", env.Settle(awaySize), kit.All(struck("under way", 1), kit.Bound("before", 1)))
	if err := f.Away(ctx); err != nil {
		return err
	}
	if err := f.Mend(ctx, "under way"); err != nil {
		return err
	}
	if err := gang(ctx, env, "meanwhile", "meanwhile", awaySize); err != nil {
		return err
	}
	env.Hold(ctx, "the API server is away", glance)
	if err := f.Back(ctx); err != nil {
		return err
	}
	for _, name := range []string{"before", "meanwhile"} {
		kit.AwaitBound(ctx, env, name+" complete", name, awaySize)
	}
	return ctx.Err()
}

func judgeAway(v *history.View) []suites.Finding {
	var out []suites.Finding
	for _, name := range []string{"before", "meanwhile"} {
		c := kit.For(v, "ROB-008")
		hit(c, v, "under way", 1)
		_, back, away := v.Broken("away")
		c.Premise(away && !back.IsZero(), nil, "the API server was away and came back")
		out = append(out, completes(c, v, name+" complete", name, awaySize))
	}
	return out
}
