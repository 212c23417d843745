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
		Name: "job-two-workloads", Profile: "job",
		Summary:      "A gang Job that sleeps gets a second Workload that it controls, and is resumed.",
		Requirements: []string{"JOB-021"},
		Weight:       5,
		Drive:        driveDoubled,
		Judge:        judgeDoubled,
	})
}

var doubled = spec{name: "doubled", parallelism: 2, fields: `"suspend":true,"scheduling":{"schedulingPolicy":{"gang":{}}},`}

const second = "second"

func driveDoubled(ctx context.Context, env suites.Env) error {
	o := doubled.object()
	r, err := env.Try(ctx, "create "+doubled.name, suites.Attempt{Verb: "create", GVR: jobs, Object: &unstructured.Unstructured{Object: o}})
	if err != nil {
		return err
	}
	if !r.OK() {
		return fmt.Errorf("creating job %s: the API server answered %d %s: %s", doubled.name, r.Code, r.Reason, r.Message)
	}
	env.Await(ctx, "a group comes", soon, func(v *history.View) bool { return len(v.Gangs) > 0 })
	owner := answer.Object{"apiVersion": "batch/v1", "kind": "Job", "name": doubled.name, "uid": r.UID, "controller": true}
	if err := env.Create(ctx, workloads, &unstructured.Unstructured{Object: answer.Object{
		"apiVersion": "scheduling.k8s.io/v1beta1", "kind": "Workload",
		"metadata": answer.Object{"name": second, "ownerReferences": []any{owner}},
		"spec":     parse(`{"controllerRef":{"apiGroup":"batch","kind":"Job","name":"doubled"},"podGroupTemplates":[{"name":"t","schedulingPolicy":{"gang":{"minCount":2}}}]}`),
	}}); err != nil {
		return err
	}
	env.Hold(ctx, "the second workload is known", glance)
	if err := patch(ctx, env, doubled.name, resume); err != nil {
		return err
	}
	env.Await(ctx, "the pods of "+doubled.name, patience, started(doubled.name, doubled.parallelism))
	env.Mark(ctx, "resumed")
	return ctx.Err()
}

func judgeDoubled(v *history.View) []suites.Finding {
	c := kit.For(v, "JOB-021")
	r, ok := v.Try("create " + doubled.name)
	c.Premise(ok && r.OK(), nil, "job %s was created", doubled.name)
	c.Premise(len(v.Gangs) > 0, nil, "it has a group")
	at := c.Mark("resumed")
	made, grouped := 0, 0
	for _, p := range podsOf(v, doubled.name) {
		if p.Created.After(at) {
			continue
		}
		made++
		if p.Gang != "" {
			grouped++
		}
	}
	return []suites.Finding{c.About(at).Saw(fmt.Sprintf("%d pods made, %d of them in a group", made, grouped),
		"a gang job of %d pods that controls two workloads was resumed", doubled.parallelism)}
}
