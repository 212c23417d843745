package job

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit/answer"
)

func init() {
	suites.Register(suites.Scenario{
		Name: "job-delegate-links", Profile: "job",
		Summary:      "A Job of a parent delegates to a template that never preempts, and names a CompositePodGroup for its group to be under.",
		Requirements: []string{"JOB-042", "JOB-043"},
		Weight:       8,
		Drive:        driveDelegateLinks,
		Judge:        judgeDelegateLinks,
	})
}

const (
	// above names the CompositePodGroup that the group of a delegating Job is to be under.
	above = "scheduling.k8s.io/parent-compositepodgroup"
	tree  = "tree"
)

// linked is the Job; its parent's Workload is called planned.
var linked = spec{name: "linked", parallelism: 1, annotations: map[string]any{delegation: "workers", above: tree}}

var composites = schema.GroupVersionResource{Group: "scheduling.k8s.io", Version: "v1alpha3", Resource: "compositepodgroups"}

func driveDelegateLinks(ctx context.Context, env suites.Env) error {
	for _, o := range []struct {
		gvr                       schema.GroupVersionResource
		version, kind, name, spec string
	}{
		{workloads, "v1beta1", "Workload", "planned",
			`{"controllerRef":{"kind":"ConfigMap","name":"planner"},"podGroupTemplates":[{"name":"workers","schedulingPolicy":{"basic":{}},"preemptionPolicy":"Never"}]}`},
		{composites, "v1alpha3", "CompositePodGroup", tree,
			`{"workloadRef":{"workloadName":"planned","templateName":"whole"},"schedulingPolicy":{"basic":{}}}`},
	} {
		made := &unstructured.Unstructured{Object: answer.Object{
			"apiVersion": "scheduling.k8s.io/" + o.version, "kind": o.kind, "metadata": answer.Object{"name": o.name}, "spec": parse(o.spec),
		}}
		// Without its gate there is no such kind or field; what depends on it is then judged as NotSupported.
		if _, err := env.Try(ctx, "create "+o.name, suites.Attempt{Verb: "create", GVR: o.gvr, Object: made}); err != nil {
			return err
		}
	}
	owner, err := parent(ctx, env, configMaps, answer.Object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": answer.Object{"name": "planner"}})
	if err != nil {
		return err
	}
	env.Hold(ctx, "the parent's workload is known", glance)
	job := linked
	job.owner = owner
	if err := create(ctx, env, job); err != nil {
		return err
	}
	if err := inspect(ctx, env, job); err != nil {
		return err
	}
	env.Mark(ctx, "watched")
	return ctx.Err()
}

func judgeDelegateLinks(v *history.View) []suites.Finding {
	policy, s := grouped(v, "JOB-042", linked.name, linked.parallelism)
	policy.Mark("watched")
	asked := ""
	for _, t := range s.templates() {
		asked = text(t, "preemptionPolicy")
	}
	policy.Premise(asked == "Never", nil, "the parent's template never preempts (it says %q)", asked)

	under, _ := grouped(v, "JOB-043", linked.name, linked.parallelism)
	under.Mark("watched")
	root, _ := v.Try("create " + tree)
	under.Premise(root.OK(), nil, "the composite was created")
	got := text(s.group, "spec.parentCompositePodGroupName")
	return []suites.Finding{
		policy.Saw(fmt.Sprintf("the group has %q", text(s.group, "spec.preemptionPolicy")), "the policy of a delegate's group whose template says Never and names no class"),
		under.Holds(got == tree, "the group of a job whose parent names the composite %q is under %q", tree, got),
	}
}
