package job

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name: "job-controller-restarted", Profile: "job",
		Summary:      "The controller manager is restarted in the middle of a gang Job's life, which grows afterwards.",
		Requirements: []string{"JOB-019"},
		Needs:        suites.Needs{Capabilities: []string{suites.RestartComponents}},
		Isolation:    suites.Exclusive,
		Weight:       10,
		Drive:        driveRestarted,
		Judge:        judgeRestarted,
	})
}

// The lasting Job is there before the restart and gets one more pod after it; that the controller is at work again then
// shows in a Job that was made meanwhile.
var (
	lasting = spec{name: "lasting", parallelism: 2, completions: 3, fields: `"scheduling":{"schedulingPolicy":{"gang":{"minCount":2}}},`}
	waiting = spec{name: "waiting", parallelism: 1}
)

func driveRestarted(ctx context.Context, env suites.Env) error {
	components, err := suites.ComponentsOf(env)
	if err != nil {
		return err
	}
	if err := create(ctx, env, lasting); err != nil {
		return err
	}
	if err := inspect(ctx, env, lasting); err != nil {
		return err
	}
	env.Mark(ctx, "before")
	if err := components.StopComponent(ctx, suites.ControllerManager); err != nil {
		return err
	}
	if err := create(ctx, env, waiting); err != nil {
		return err
	}
	if err := patch(ctx, env, lasting.name, `{"spec":{"parallelism":3}}`); err != nil {
		return err
	}
	if err := components.StartComponent(ctx, suites.ControllerManager, suites.Flags{}); err != nil {
		return err
	}
	env.Await(ctx, "the controller is at work again", soon, kit.All(started(waiting.name, 1), started(lasting.name, 3)))
	env.Hold(ctx, "more groups and pods come", glance)
	env.Mark(ctx, "watched")
	return ctx.Err()
}

func judgeRestarted(v *history.View) []suites.Finding {
	c, s := grouped(v, "JOB-019", lasting.name, lasting.parallelism)
	before := c.Mark("before")
	stopped, back, ok := v.Broken(suites.ControllerManager)
	c.Premise(ok && !back.IsZero() && stopped.After(before), nil, "the controller manager was restarted after that")
	c.Mark("watched")
	c.Premise(len(podsOf(v, waiting.name)) > 0, nil, "the job made meanwhile has its pod")
	own := text(s.group, "metadata.name")
	theirs := groupOf(v, waiting.name)
	others := 0
	for _, g := range v.Gangs {
		if g.Name != own && g.Name != theirs {
			others++
		}
	}
	return []suites.Finding{c.Holds(others == 0 && len(s.pods) == 3 && s.inGroup() == len(s.pods),
		"after the restart the job has %d of 3 pods, %d of them in its group from before; groups that are no job's: %d", len(s.pods), s.inGroup(), others)}
}
