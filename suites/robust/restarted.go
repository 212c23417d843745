package robust

import (
	"context"

	"muster/fakes/faults"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

// restartedSize is the size of the gangs.
const restartedSize = 2

func init() {
	suites.Register(scenario(suites.Scenario{
		Name: "robust-api-restarted",
		Summary: "The API server itself is stopped while a gang is half bound and another waits for room, and started again; " +
			"then the room is made.",
		Requirements: []string{"ROB-019"},
		Needs: needs(map[string]int{"before": restartedSize, "waiting": restartedSize - 1},
			suites.RestartComponents, "create-nodes"),
		Weight: 20,
		Drive:  driveRestarted,
		Judge:  judgeRestarted,
	}))
}

// The scheduler is told nothing: its connections end, its watches can not be resumed where they were, since the new server
// has no memory of what was before it, and what it had been about to write is refused or lost.
func driveRestarted(ctx context.Context, env suites.Env) error {
	f, err := suites.FaultsOf(env)
	if err != nil {
		return err
	}
	components, err := suites.ComponentsOf(env)
	if err != nil {
		return err
	}
	rule := bindsOf(env, "under way", "before", faults.Fault{Hang: true})
	rule.Skip = 1
	if err := f.Break(ctx, rule); err != nil {
		return err
	}
	if err := gang(ctx, env, "waiting", "waiting", restartedSize); err != nil {
		return err
	}
	if err := gang(ctx, env, "before", "before", restartedSize); err != nil {
		return err
	}
	env.Await(ctx, "one is bound, another under way", env.Settle(restartedSize),
		kit.All(struck("under way", 1), kit.Bound("before", 1)))
	if err := components.StopComponent(ctx, suites.APIServer); err != nil {
		return err
	}
	if err := f.Mend(ctx, "under way"); err != nil {
		return err
	}
	env.Hold(ctx, "the API server is stopped", glance)
	if err := components.StartComponent(ctx, suites.APIServer, suites.Flags{}); err != nil {
		return err
	}
	if err := env.AddNodes(ctx, "waiting", 1); err != nil {
		return err
	}
	for _, name := range []string{"before", "waiting"} {
		kit.AwaitBound(ctx, env, name+" complete", name, restartedSize)
	}
	return ctx.Err()
}

func judgeRestarted(v *history.View) []suites.Finding {
	var out []suites.Finding
	for _, name := range []string{"before", "waiting"} {
		c := kit.For(v, "ROB-019")
		hit(c, v, "under way", 1)
		_, back, stopped := v.Broken(suites.APIServer)
		c.Premise(stopped && !back.IsZero(), nil, "the API server was stopped and started")
		out = append(out, completes(c, v, name+" complete", name, restartedSize))
	}
	return out
}
