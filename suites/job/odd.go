package job

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit/answer"
)

// Jobs of the scenario job-compiled that are odd in one way each.

// narrow is a gang Job of which fewer pods have to succeed than may run at a time, so that no more are ever made.
var narrow = spec{name: "narrow", parallelism: 3, completions: 2, fields: `"scheduling":{"schedulingPolicy":{"gang":{}}},`}

// claimed is a Job that a Workload and a group of somebody else refer to, which are there before it.
var claimed = spec{name: "claimed", parallelism: 1}

const theirs = "theirs"

// strangers makes the Workload and the group that refer to the Job claimed.
func strangers(ctx context.Context, env suites.Env) error {
	for _, o := range []struct {
		kind string
		gvr  schema.GroupVersionResource
		spec string
	}{
		{"Workload", workloads, `{"controllerRef":{"apiGroup":"batch","kind":"Job","name":"claimed"},"podGroupTemplates":[{"name":"t","schedulingPolicy":{"basic":{}}}]}`},
		{"PodGroup", podGroups, `{"workloadRef":{"workloadName":"theirs","templateName":"t"},"schedulingPolicy":{"basic":{}}}`},
	} {
		if err := env.Create(ctx, o.gvr, &unstructured.Unstructured{Object: answer.Object{
			"apiVersion": "scheduling.k8s.io/v1beta1", "kind": o.kind, "metadata": answer.Object{"name": theirs}, "spec": parse(o.spec),
		}}); err != nil {
			return err
		}
	}
	env.Hold(ctx, "they are known", glance)
	return ctx.Err()
}

// judgeNarrow: a group never wants more pods than its Job makes, or the Job can never start.
func judgeNarrow(v *history.View) suites.Finding {
	c, s := grouped(v, "JOB-041", narrow.name, narrow.atFirst())
	got := number(s.group, "spec.schedulingPolicy.gang.minCount")
	c.Premise(got > 0, nil, "the group is a gang")
	return c.Holds(got <= narrow.atFirst(), "the group of a gang job with parallelism %d and %d completions, of which %d pods are made, has minCount %d",
		narrow.parallelism, narrow.completions, len(s.pods), got)
}

// judgeClaimed: what merely refers to a Job, and is not its own, is left alone.
func judgeClaimed(v *history.View) suites.Finding {
	c, s := grouped(v, "JOB-020", claimed.name, claimed.parallelism)
	c.Premise(v.Gang(theirs) != nil, nil, "the group that refers to the job exists")
	name, from := text(s.group, "metadata.name"), text(s.workload, "metadata.name")
	mine, _ := owned(s.workload, s.uid)
	return c.Holds(name != theirs && from != theirs && mine && s.inGroup() == len(s.pods),
		"the pods of job %s are in group %q, made from workload %q, which the job controls: %t; the ones that merely refer to it are called %q",
		claimed.name, name, from, mine, theirs)
}
