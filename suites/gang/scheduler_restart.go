package gang

import (
	"context"
	"errors"
	"fmt"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "gang-scheduler-restart-half-bound",
		Profile:      "gang",
		Summary:      "The scheduler comes back to a gang of which one member is bound already.",
		Requirements: []string{"GANG-063"},
		Needs:        suites.Needs{Capabilities: []string{"restart-scheduler"}, Pools: []nodes.Pool{single(mainPool, 3)}},
		Isolation:    suites.Exclusive,
		Weight:       5,
		Drive:        driveSchedulerRestart,
		Judge:        judgeSchedulerRestart,
	})
}

func driveSchedulerRestart(ctx context.Context, env suites.Env) error {
	n, err := slots(env, mainPool, 3)
	if err != nil {
		return err
	}
	if err := env.StopScheduler(ctx); err != nil {
		return fmt.Errorf("stopping the scheduler: %w", err)
	}
	members := kit.Members(n, "g", mainPool)
	err = kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: int32(n)}, members...)
	if err == nil {
		// What a scheduler leaves behind that died between the binds of a gang.
		err = env.BindPod(ctx, members[0].Name, env.Pool(mainPool).Nodes()[0])
	}
	if err == nil {
		env.Await(ctx, "the first member is bound", kit.Patience(env, 1), kit.PodsBound(members[0].Name))
		env.Mark(ctx, "half bound")
	}
	// The scheduler is started whatever happened: others come after this scenario.
	if start := env.StartScheduler(ctx); start != nil {
		return errors.Join(err, fmt.Errorf("starting the scheduler again: %w", start))
	}
	if err != nil {
		return err
	}
	env.Mark(ctx, "back")
	kit.AwaitOver(ctx, env, "all bound", n, kit.Bound("g", n))
	return ctx.Err()
}

func judgeSchedulerRestart(v *history.View) []suites.Finding {
	members := v.Members("g")
	n := len(members)
	opened := func() *kit.Case {
		c := kit.For(v, "GANG-063")
		half := c.Mark("half bound")
		bound := v.BoundAt("g", half)
		c.Premise(len(bound) == 1 && !bound[0].ByScheduler() && n == kit.Quorum(v, "g"), nil,
			"one of %d members was bound while the scheduler was away", n)
		c.Fits(half, kit.Unbound(v, "g", half))
		return c
	}
	keep := opened()
	half := keep.Mark("half bound")
	return []suites.Finding{
		opened().Counts("all bound", "g", n),
		keep.Untouched(v.BoundAt("g", half), half, keep.Mark("all bound"), "when the scheduler came back"),
	}
}
