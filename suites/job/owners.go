package job

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/suites/kit/answer"
)

func init() {
	suites.Register(suites.Scenario{
		Name: "job-owners", Profile: "job",
		Summary:      "Jobs of a parent, with and without delegation, of a CronJob, and with a group of their own start.",
		Requirements: []string{"JOB-013", "JOB-014", "JOB-015", "JOB-034", "JOB-039"},
		Weight:       18,
		Drive:        driveOwners,
		Judge:        judgeOwners,
	})
}

const (
	// delegation names the template of the parent's Workload that a child Job makes its group from.
	delegation = "scheduling.k8s.io/group-template-name"
	ownGroup   = "brought-along"
)

// parentSpec is the parent's Workload, which refers to a ConfigMap: any kind of object may be a controller.
const parentWorkload = `{"controllerRef":{"kind":"ConfigMap","name":"parent"},"podGroupTemplates":[{"name":"workers","schedulingPolicy":{"gang":{"minCount":2}}}]}`

var (
	brought  = spec{name: "brought", parallelism: 1, pod: `"schedulingGroup":{"podGroupName":"` + ownGroup + `"},`}
	child    = spec{name: "child", parallelism: 1}
	delegate = spec{name: "delegate", parallelism: 2, annotations: map[string]any{delegation: "workers"}}
	timed    = spec{name: "timed", parallelism: 2, fields: `"completionMode":"Indexed","scheduling":{"schedulingPolicy":{"gang":{}}},`}
)

func driveOwners(ctx context.Context, env suites.Env) error {
	if err := env.Create(ctx, workloads, &unstructured.Unstructured{Object: answer.Object{
		"apiVersion": "scheduling.k8s.io/v1beta1", "kind": "Workload", "metadata": answer.Object{"name": "parents"}, "spec": parse(parentWorkload),
	}}); err != nil {
		return err
	}
	owner, err := parent(ctx, env, configMaps, answer.Object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": answer.Object{"name": "parent"}})
	if err != nil {
		return err
	}
	// What a CronJob does when its time has come is to create a Job that it controls; `kubectl create job --from` does
	// the same without the wait.
	cron, err := parent(ctx, env, cronJobs, answer.Object{"apiVersion": "batch/v1", "kind": "CronJob", "metadata": answer.Object{"name": "clock"},
		"spec": answer.Object{"schedule": "0 0 1 1 *", "suspend": true, "jobTemplate": answer.Object{"spec": timed.object()["spec"]}}})
	if err != nil {
		return err
	}
	// The controller knows Workloads from a watch of its own, and makes pods without a group when it has not seen the
	// parent's yet; that race is another matter.
	env.Hold(ctx, "the parent's workload is known", glance)
	owned := func(s spec, by answer.Object) spec { s.owner = by; return s }
	all := []spec{brought, owned(child, owner), owned(delegate, owner), owned(timed, cron)}
	if err := create(ctx, env, all...); err != nil {
		return err
	}
	for _, s := range all {
		if err := inspect(ctx, env, s); err != nil {
			return err
		}
	}
	env.Hold(ctx, "more groups come", glance)
	env.Mark(ctx, "watched")
	if err := env.Patch(ctx, workloads, "parents", []byte(`{"spec":{"podGroupTemplates":[{"name":"workers","schedulingPolicy":{"gang":{"minCount":1}}}]}}`)); err != nil {
		return err
	}
	env.Await(ctx, "the child's group follows", patience, quorum(delegate.name, 1))
	env.Mark(ctx, "followed")
	return ctx.Err()
}

func judgeOwners(v *history.View) []suites.Finding {
	return []suites.Finding{judgeBrought(v), judgeCron(v), judgeDelegate(v), judgeChild(v), judgeDelegateFollows(v)}
}

// strays are groups that no pod of any Job names.
func strays(v *history.View) int {
	n := 0
	for _, g := range v.Gangs {
		if len(v.Members(g.Name)) == 0 {
			n++
		}
	}
	return n
}

func judgeBrought(v *history.View) suites.Finding {
	c, s := opened(v, "JOB-013", brought.name, brought.parallelism)
	c.Mark("watched")
	kept := 0
	for _, p := range s.pods {
		if p.Gang == ownGroup {
			kept++
		}
	}
	return c.Holds(kept == len(s.pods) && v.Gang(ownGroup) == nil && strays(v) == 0,
		"%d of %d pods name the group they were brought up with; groups made that no pod names: %d", kept, len(s.pods), strays(v))
}

func judgeChild(v *history.View) suites.Finding {
	c, s := opened(v, "JOB-034", child.name, child.parallelism)
	c.Mark("watched")
	in := s.inGroup()
	return c.Holds(in == 0 && strays(v) == 0, "%d of %d pods of a parent's job have a group; groups made that no pod names: %d", in, len(s.pods), strays(v))
}

func judgeCron(v *history.View) suites.Finding {
	c, s := opened(v, "JOB-014", timed.name, timed.parallelism)
	c.Mark("watched")
	return c.Holds(len(s.pods) > 0 && s.inGroup() == len(s.pods) && s.workload != nil,
		"%d of %d pods of a CronJob's job have a group; it has a workload: %t", s.inGroup(), len(s.pods), s.workload != nil)
}

func judgeDelegate(v *history.View) suites.Finding {
	c, s := opened(v, "JOB-015", delegate.name, delegate.parallelism)
	c.Mark("watched")
	byJob, _ := owned(s.group, s.uid)
	ref := fmt.Sprintf("%s/%s", text(s.group, "spec.workloadRef.workloadName"), text(s.group, "spec.workloadRef.templateName"))
	n := number(s.group, "spec.schedulingPolicy.gang.minCount")
	return c.Holds(s.inGroup() == len(s.pods) && byJob && ref == "parents/workers" && n == 2,
		"%d of %d pods of a delegate's job have a group, controlled by the job: %t, made from %s with minCount %d; expected parents/workers and 2", s.inGroup(), len(s.pods), byJob, ref, n)
}

func judgeDelegateFollows(v *history.View) suites.Finding {
	c, s := opened(v, "JOB-039", delegate.name, delegate.parallelism)
	c.Premise(s.group != nil && number(s.group, "spec.schedulingPolicy.gang.minCount") == 2, nil, "the delegate's group began with minCount 2")
	c.Mark("followed")
	got := kit.Quorum(v, groupOf(v, delegate.name))
	return c.Holds(got == 1, "the delegate's group has minCount %d within %s after the parent's template went from 2 to 1", got, patience)
}
