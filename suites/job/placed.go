package job

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name: "job-placed-as-a-whole", Profile: "job",
		Summary:      "A gang Job finds room for all of its pods but one, until a node is added.",
		Requirements: []string{"JOB-026"},
		Needs:        suites.Needs{Pools: []nodes.Pool{{Name: "pool", Count: 2, GPUs: 1}}},
		Weight:       26,
		Drive:        drivePlaced,
		Judge:        judgePlaced,
	})
}

// fleet is the Job: n pods that take one GPU each.
const fleet = "fleet"

// fleetObject is a gang Job of n pods on the pool.
func fleetObject(env suites.Env, n int) (*unstructured.Unstructured, error) {
	o, err := kit.Untyped(build.Job(
		build.Controller{Name: fleet, Replicas: int32(n), Template: kit.Plain("", "pool")},
		build.Defaults{Namespace: env.Namespace(), SchedulerName: env.SchedulerName(), Pool: env.Pool("pool").Name()},
	))
	if err != nil {
		return nil, err
	}
	o.Object["spec"].(map[string]any)["scheduling"] = parse(`{"schedulingPolicy":{"gang":{}}}`)
	return o, nil
}

func drivePlaced(ctx context.Context, env suites.Env) error {
	n := env.Pool("pool").Slots(kit.Worker) + 1
	o, err := fleetObject(env, n)
	if err != nil {
		return err
	}
	if _, err := env.Try(ctx, "create "+fleet, suites.Attempt{Verb: "create", GVR: jobs, Object: o}); err != nil {
		return err
	}
	if err := inspect(ctx, env, spec{name: fleet, parallelism: n}); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "one short", "watched", n); err != nil {
		return err
	}
	if err := env.AddNodes(ctx, "pool", 1); err != nil {
		return err
	}
	kit.AwaitMark(ctx, env, "placed", n, func(v *history.View) bool { return kit.Bound(groupOf(v, fleet), n)(v) })
	return ctx.Err()
}

func judgePlaced(v *history.View) []suites.Finding {
	group := groupOf(v, fleet)
	members := v.Members(group)
	opened := func() *kit.Case {
		c, s := opened(v, "JOB-026", fleet, 2)
		c.Premise(len(s.pods) > 0 && len(members) == len(s.pods) && s.group != nil, nil, "all pods of the job are in one group")
		c.Premise(number(s.group, "spec.schedulingPolicy.gang.minCount") == len(s.pods), nil, "the group's minCount is all of them")
		return c
	}
	short := opened()
	from, to := short.Watched("one short", "watched", len(members))
	short.ShortByOne(from, members)
	whole := opened()
	whole.Fits(whole.Mark("placed"), members)
	return []suites.Finding{
		short.None(group, history.Stamp{}, to, "although there was room for all but one"),
		whole.Counts("placed", group, len(members)),
	}
}
