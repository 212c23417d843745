package job

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name: "job-deleted", Profile: "job",
		Summary:      "A Job with a group is deleted; its pods, its group and its Workload are waited out.",
		Requirements: []string{"JOB-025"},
		Weight:       6,
		Drive:        driveDeleted,
		Judge:        judgeDeleted,
	})
}

var passing = spec{name: "passing", parallelism: 2, fields: `"scheduling":{"schedulingPolicy":{"gang":{}}},`}

func driveDeleted(ctx context.Context, env suites.Env) error {
	if err := create(ctx, env, passing); err != nil {
		return err
	}
	if err := inspect(ctx, env, passing); err != nil {
		return err
	}
	// The garbage collector has to know the owners before they go, or it looks them up one by one.
	env.Hold(ctx, "the objects are known", glance)
	// Without this the API server would orphan what a Job of batch/v1 owns; kubectl asks for the cascade as well.
	if err := patch(ctx, env, passing.name, `{"metadata":{"finalizers":["foregroundDeletion"]}}`); err != nil {
		return err
	}
	if err := env.Delete(ctx, jobs, passing.name); err != nil {
		return err
	}
	workload := ""
	env.Await(ctx, "the group is gone", soon, func(v *history.View) bool {
		workload = text(look(v, passing.name).workload, "metadata.name")
		return kit.GangGone(groupOf(v, passing.name))(v) && len(alive(podsOf(v, passing.name))) == 0
	})
	if workload != "" {
		// The workload goes first of all; it is not watched, so it is asked for.
		env.Hold(ctx, "the workload goes", glance)
		if _, err := read(ctx, env, "workload after", workloads, workload); err != nil {
			return err
		}
	}
	env.Mark(ctx, "over")
	return ctx.Err()
}

func judgeDeleted(v *history.View) []suites.Finding {
	c, s := grouped(v, "JOB-025", passing.name, passing.parallelism)
	c.Mark("over")
	after, asked := v.Try("workload after")
	c.Premise(asked, nil, "the workload was asked for in the end")
	g := v.Gang(text(s.group, "metadata.name"))
	gone := g != nil && !g.Gone.IsZero()
	left := len(alive(s.pods))
	return []suites.Finding{c.Holds(gone && left == 0 && after.Code == 404,
		"%s after job %s was deleted: its group is gone: %t, pods left: %d, its workload: %d", soon, passing.name, gone, left, after.Code)}
}
