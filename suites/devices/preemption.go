package devices

import (
	"context"
	"fmt"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	n := needs(1)
	n.PriorityClasses = map[string]int32{"low": 10, "high": 1000}
	suites.Register(suites.Scenario{
		Name:         "devices-preemption",
		Profile:      "devices",
		Summary:      "A gang of high priority wants the devices that pods of low priority hold.",
		Requirements: []string{"DRA-021"},
		Needs:        n,
		Weight:       28,
		Drive:        drivePreemption,
		Judge:        judgePreemption,
	})
}

func drivePreemption(ctx context.Context, env suites.Env) error {
	if err := publish(ctx, env, onNode(env, env.Pool(mainPool).Nodes()[0], alike(2)...)); err != nil {
		return err
	}
	if err := template(ctx, env, "gpu"); err != nil {
		return err
	}
	for _, name := range []string{"low-0", "low-1"} {
		p := worker(name, "", made("gpu", "gpu"))
		p.PriorityClass = env.PriorityClass("low")
		if err := env.CreatePods(ctx, p); err != nil {
			return err
		}
	}
	if !kit.AwaitMark(ctx, env, "devices taken", 1, kit.PodsBound("low-0", "low-1")) {
		return ctx.Err()
	}
	members := workers(2, "high", made("gpu", "gpu"))
	for i := range members {
		members[i].PriorityClass = env.PriorityClass("high")
	}
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "high", Quorum: 2, PriorityClass: env.PriorityClass("high")}, members...); err != nil {
		return err
	}
	env.Await(ctx, "the gang is placed", env.Settle(2), kit.Bound("high", 2))
	env.Hold(ctx, "who was to be evicted would be by now", kit.Look)
	env.Mark(ctx, "watched")
	return ctx.Err()
}

func judgePreemption(v *history.View) []suites.Finding {
	c := kit.For(v, "DRA-021")
	from, to := c.Mark("devices taken"), c.Mark("watched")
	low := kit.Named(v, "low-0", "low-1")
	c.Premise(len(low) == 2 && len(allocated(claimsOf(v, low), from)) == 2, nil, "both devices are held by pods of low priority")
	evicted := kit.DisturbedBetween(low, from, to)
	return []suites.Finding{c.About(to, kit.Objects(evicted)...).Saw(fmt.Sprintf("%d of 2 evicted, %d of 2 members bound", len(evicted), len(v.BoundAt("high", to))),
		"a gang of high priority wants devices that pods of low priority hold")}
}
