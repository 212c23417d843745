package job

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name: "job-remainder", Profile: "job",
		Summary:      "Of a gang Job that runs two pods at a time and wants three, the first two end well.",
		Requirements: []string{"JOB-027"},
		Needs:        suites.Needs{Pools: []nodes.Pool{{Name: "pool", Count: 3, GPUs: 1}}},
		Weight:       22,
		Drive:        driveRemainder,
		Judge:        judgeRemainder,
	})
}

const (
	atATime = 2
	inAll   = 3
)

func driveRemainder(ctx context.Context, env suites.Env) error {
	o, err := fleetObject(env, atATime)
	if err != nil {
		return err
	}
	o.Object["spec"].(map[string]any)["completions"] = int64(inAll)
	if _, err := env.Try(ctx, "create "+fleet, suites.Attempt{Verb: "create", GVR: jobs, Object: o}); err != nil {
		return err
	}
	if err := inspect(ctx, env, spec{name: fleet, parallelism: atATime}); err != nil {
		return err
	}
	var running []string
	env.Await(ctx, "the first pods run", kit.Patience(env, atATime), func(v *history.View) bool {
		running = nil
		for _, p := range podsOf(v, fleet) {
			if p.BoundAt(v.Now()) {
				running = append(running, p.Name)
			}
		}
		return len(running) >= atATime
	})
	env.Mark(ctx, "running")
	if err := env.FinishPods(ctx, corev1.PodSucceeded, running...); err != nil {
		return err
	}
	env.Await(ctx, "the last pod", soon, func(v *history.View) bool { return len(podsOf(v, fleet)) >= inAll })
	env.Mark(ctx, "one is left")
	kit.AwaitMark(ctx, env, "tried", 1, func(v *history.View) bool { return len(standing(podsOf(v, fleet), v)) == 1 })
	return ctx.Err()
}

// standing are those of the pods that are on a node and have not ended.
func standing(pods []*history.Pod, v *history.View) (out []*history.Pod) {
	for _, p := range pods {
		if p.BoundAt(v.Now()) && p.Finished.After(v.Now()) {
			out = append(out, p)
		}
	}
	return out
}

func judgeRemainder(v *history.View) []suites.Finding {
	c, s := opened(v, "JOB-027", fleet, atATime)
	c.Premise(number(s.group, "spec.schedulingPolicy.gang.minCount") == atATime, nil, "the group began with minCount %d", atATime)
	run, left := c.Mark("running"), c.Mark("one is left")
	done := 0
	var last []*history.Pod
	for _, p := range s.pods {
		switch {
		case p.Created.After(run):
			last = append(last, p)
		case !p.Finished.After(left):
			done++
		}
	}
	c.Premise(done == atATime, nil, "the first %d pods ended (seen: %d)", atATime, done)
	c.Premise(len(last) == 1, nil, "one pod is left to run (seen: %d)", len(last))
	for _, p := range s.pods {
		early := p.Created.After(run) || len(last) != 1 || p.Finished.Before(last[0].Created)
		c.Premise(early, nil, "pod %s ended before the last one was created", p.Name)
	}
	c.Fits(left, last)
	at := c.Mark("tried")
	bound := len(last) == 1 && last[0].BoundAt(at)
	return []suites.Finding{c.About(at, kit.Objects(last)...).Holds(bound,
		"the last pod of a gang job with parallelism %d and %d completions was %s within %.0f s; its group has minCount %d",
		atATime, inAll, map[bool]string{true: "bound", false: "not bound"}[bound], (at.Mono - run.Mono).Seconds(), kit.Quorum(v, groupOf(v, fleet)))}
}
