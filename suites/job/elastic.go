package job

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name: "job-elastic", Profile: "job",
		Summary:      "A gang Job gets another minCount; of another, which has none, the parallelism is lowered.",
		Requirements: []string{"JOB-008", "JOB-009"},
		Weight:       4,
		Drive:        driveElastic,
		Judge:        judgeElastic,
	})
}

var (
	counted = spec{name: "counted", parallelism: 4, fields: `"scheduling":{"schedulingPolicy":{"gang":{"minCount":3}}},`}
	implied = spec{name: "implied", parallelism: 3, fields: `"scheduling":{"schedulingPolicy":{"gang":{}}},`}
)

func driveElastic(ctx context.Context, env suites.Env) error {
	if err := create(ctx, env, counted, implied); err != nil {
		return err
	}
	for _, s := range []spec{counted, implied} {
		if err := inspect(ctx, env, s); err != nil {
			return err
		}
	}
	if err := patch(ctx, env, counted.name, `{"spec":{"scheduling":{"schedulingPolicy":{"gang":{"minCount":2}}}}}`); err != nil {
		return err
	}
	if err := patch(ctx, env, implied.name, `{"spec":{"parallelism":2}}`); err != nil {
		return err
	}
	env.Await(ctx, "both groups follow", soon, kit.All(quorum(counted.name, 2), quorum(implied.name, 2)))
	env.Mark(ctx, "followed")
	return ctx.Err()
}

// quorum holds once the group of the Job's pods has this minCount.
func quorum(job string, n int) kit.Cond {
	return func(v *history.View) bool { return kit.Quorum(v, groupOf(v, job)) == n }
}

func judgeElastic(v *history.View) []suites.Finding {
	return []suites.Finding{
		judgeFollowed(v, "JOB-008", counted, 3, 2, "the job's minCount changed"),
		judgeFollowed(v, "JOB-009", implied, 3, 2, "the job's parallelism changed"),
	}
}

func judgeFollowed(v *history.View, id string, s spec, from, to int, why string) suites.Finding {
	c, seen := grouped(v, id, s.name, s.parallelism)
	c.Premise(number(seen.group, "spec.schedulingPolicy.gang.minCount") == from, nil, "the group began with minCount %d", from)
	c.Mark("followed")
	got := kit.Quorum(v, groupOf(v, s.name))
	return c.Holds(got == to, "the group of job %s has minCount %d within %s after %s from %d to %d", s.name, got, soon, why, from, to)
}
