package builder

import (
	"context"

	batchv1 "k8s.io/api/batch/v1"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/shapes"
)

func init() {
	suites.Register(suites.Scenario{
		Name: "builder-jobs", Profile: "builder",
		Summary:      "A set of two Jobs delegates their groups to the Job controller.",
		Requirements: []string{"WLB-004"},
		Weight:       14,
		Drive:        driveJobs,
		Judge:        judgeJobs,
	})
}

// set is the workload of the story: two Jobs of two pods.
const (
	set     = "set"
	setPods = 2
)

func driveJobs(ctx context.Context, env suites.Env) error {
	owner, err := identity(ctx, env, set)
	if err != nil {
		return err
	}
	js := shapes.JobSet{Identity: owner, Pods: setPods, Pod: podSpec(env, "")}
	// The Workload first: a Job whose parent's Workload the controller has not seen yet would get pods without a group.
	if _, err := shapes.Reconcile(ctx, client{env}, js); err != nil {
		return err
	}
	env.Hold(ctx, "the workload is known", glance)
	js.Jobs = replicas
	if _, err := shapes.Reconcile(ctx, client{env}, js); err != nil {
		return err
	}
	env.Await(ctx, "the pods come", soon/3, func(v *history.View) bool { return len(v.Pods) >= replicas*setPods })
	env.Mark(ctx, "started")
	return ctx.Err()
}

func judgeJobs(v *history.View) []suites.Finding {
	c := kit.For(v, "WLB-004")
	c.Mark("started")
	js := shapes.JobSet{Identity: shapes.Identity{Name: set}}
	groups := map[string]bool{}
	good, most := 0, 0
	for i := range replicas {
		job := js.Job(i)
		r, ok := v.Try(label("Job", job))
		c.Premise(ok && r.OK(), nil, "job %s was created", job)
		group, pods := "", 0
		for _, p := range v.Pods {
			if p.First.Labels[batchv1.JobNameLabel] == job {
				pods++
				group = p.Gang
			}
		}
		most = max(most, pods)
		g := v.Gang(group)
		if pods == setPods && group != "" && g != nil && len(v.Members(group)) == setPods && kit.Quorum(v, group) == setPods && g.DisruptAll {
			good++
			groups[group] = true
		}
	}
	// That one Job starts shows that the delegation is understood; the other has to follow.
	c.Premise(most == setPods, nil, "at least one job has its %d pods (seen: %d)", setPods, most)
	return []suites.Finding{c.Holds(good == replicas && len(groups) == replicas,
		"%d of %d jobs have all their pods in a group made like the template, in %d groups; expected one group a job", good, replicas, len(groups))}
}
