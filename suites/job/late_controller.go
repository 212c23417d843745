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
		Name: "job-controller-late", Profile: "job",
		Summary:      "The controller manager comes to know groups of Jobs late: when a Job has started, and when Jobs have Workloads and groups of other hands.",
		Requirements: []string{"JOB-016", "JOB-021", "JOB-022", "JOB-045"},
		Needs:        suites.Needs{Capabilities: []string{suites.RestartComponents}},
		Isolation:    suites.Exclusive,
		Weight:       14,
		Drive:        driveLate,
		Judge:        judgeLate,
	})
}

// The early Job starts while the controller knows no groups of Jobs. The others are created while it is away, with
// Workloads that they control: two, one of two templates, and one with two groups. The last is as usual: it shows that the controller is at work.
var (
	early  = spec{name: "early", parallelism: 1}
	twice  = spec{name: "twice", parallelism: 1}
	double = spec{name: "double", parallelism: 1}
	pair   = spec{name: "pair", parallelism: 1}
	last   = spec{name: "last", parallelism: 1}
)

func driveLate(ctx context.Context, env suites.Env) error {
	components, err := suites.ComponentsOf(env)
	if err != nil {
		return err
	}
	restart := func(flags suites.Flags, meanwhile func() error) error {
		if err := components.StopComponent(ctx, suites.ControllerManager); err != nil {
			return err
		}
		if err := meanwhile(); err != nil {
			return err
		}
		return components.StartComponent(ctx, suites.ControllerManager, flags)
	}
	if err := restart(suites.Flags{Gates: map[string]bool{"WorkloadWithJob": false}}, func() error { return create(ctx, env, early) }); err != nil {
		return err
	}
	env.Await(ctx, "the early job starts", soon, started(early.name, 1))
	env.Mark(ctx, "started early")
	if err := restart(suites.Flags{}, func() error { return prepared(ctx, env) }); err != nil {
		return err
	}
	if err := patch(ctx, env, early.name, `{"spec":{"parallelism":1,"suspend":true}}`); err != nil {
		return err
	}
	if err := create(ctx, env, last); err != nil {
		return err
	}
	env.Await(ctx, "the last job starts", soon, kit.All(started(last.name, 1), ceased(early.name)))
	// Resumed, it gets a pod that was not there before the controller knew of groups.
	if err := patch(ctx, env, early.name, `{"spec":{"suspend":false}}`); err != nil {
		return err
	}
	env.Await(ctx, "the early job goes on", soon, started(early.name, 1))
	env.Hold(ctx, "more comes", glance)
	env.Mark(ctx, "watched")
	return ctx.Err()
}

// ceased holds once the Job has no living pod.
func ceased(job string) kit.Cond {
	return func(v *history.View) bool { return len(podsOf(v, job)) > 0 && len(alive(podsOf(v, job))) == 0 }
}

// prepared creates the Jobs with Workloads and groups of other hands.
func prepared(ctx context.Context, env suites.Env) error {
	for _, of := range []struct {
		spec
		workloads int
		templates []string
		groups    int
	}{
		{twice, 2, []string{"t"}, 0},
		{double, 1, []string{"t", "u"}, 0},
		{pair, 1, []string{"t"}, 2},
	} {
		ref, err := parent(ctx, env, jobs, of.object())
		if err != nil {
			return err
		}
		for i := range of.workloads {
			name := fmt.Sprintf("%s-%d", of.name, i)
			if err := env.Create(ctx, workloads, &unstructured.Unstructured{Object: owning(name, ref, of.templates)}); err != nil {
				return err
			}
		}
		for i := range of.groups {
			group := answer.Object{
				"apiVersion": "scheduling.k8s.io/v1beta1", "kind": "PodGroup",
				"metadata": answer.Object{"name": fmt.Sprintf("%s-group-%d", of.name, i), "ownerReferences": []any{ref}},
				"spec":     parse(fmt.Sprintf(`{"workloadRef":{"workloadName":"%s-0","templateName":"t"},"schedulingPolicy":{"basic":{}}}`, of.name)),
			}
			if err := env.Create(ctx, podGroups, &unstructured.Unstructured{Object: group}); err != nil {
				return err
			}
		}
	}
	return nil
}

// owning is a Workload that a Job controls.
func owning(name string, job answer.Object, templates []string) answer.Object {
	var list []any
	for _, t := range templates {
		list = append(list, answer.Object{"name": t, "schedulingPolicy": answer.Object{"basic": answer.Object{}}})
	}
	return answer.Object{
		"apiVersion": "scheduling.k8s.io/v1beta1", "kind": "Workload",
		"metadata": answer.Object{"name": name, "ownerReferences": []any{job}},
		"spec": answer.Object{
			"controllerRef":     answer.Object{"apiGroup": "batch", "kind": "Job", "name": job["name"]},
			"podGroupTemplates": list,
		},
	}
}

func judgeLate(v *history.View) []suites.Finding {
	at := func(id string) *kit.Case {
		c := kit.For(v, id)
		c.Mark("watched")
		_, back, ok := v.Broken(suites.ControllerManager)
		c.Premise(ok && !back.IsZero(), nil, "the controller manager was restarted")
		c.Premise(grouping(v, last.name) == "1 pods in a group of 1", nil, "a job made afterwards has its pod, in a group (%s)", grouping(v, last.name))
		return c
	}
	c := at("JOB-016")
	first := c.Mark("started early")
	before := 0
	for _, p := range podsOf(v, early.name) {
		if p.Created.Before(first) && p.Gang == "" {
			before++
		}
	}
	c.Premise(before == 1, nil, "a job started without a group")
	later := 0
	for _, p := range podsOf(v, early.name) {
		if p.Created.After(first) {
			later++
		}
	}
	c.Premise(later > 0, nil, "it got another pod afterwards")
	out := []suites.Finding{c.Saw(grouping(v, early.name), "pods of a job that started before the controller knew groups of jobs")}
	for _, o := range []struct{ id, job, what string }{
		{"JOB-021", twice.name, "two Workloads"}, {"JOB-022", double.name, "a Workload of two templates"},
		{"JOB-045", pair.name, "a Workload and two PodGroups"},
	} {
		c := at(o.id)
		created, ok := v.Try("create " + o.job)
		c.Premise(ok && created.OK(), nil, "job %s was created", o.job)
		out = append(out, c.Saw(grouping(v, o.job), "pods of a job that controls %s it did not make", o.what))
	}
	return out
}

// grouping says in a few words how many living pods a Job has, and how many of them are in a group.
func grouping(v *history.View, job string) string {
	pods := alive(podsOf(v, job))
	in := 0
	for _, p := range pods {
		if p.Gang != "" {
			in++
		}
	}
	switch {
	case len(pods) == 0:
		return "no pods"
	case in == 0:
		return fmt.Sprintf("%d pods in no group", len(pods))
	}
	return fmt.Sprintf("%d pods in a group of %d", in, len(pods))
}
