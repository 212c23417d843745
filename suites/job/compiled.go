package job

import (
	"context"
	"fmt"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit/answer"
)

func init() {
	suites.Register(suites.Scenario{
		Name: "job-compiled", Profile: "job",
		Summary: "Jobs with and without a scheduling configuration start; their groups and Workloads are looked at.",
		Requirements: []string{"JOB-001", "JOB-002", "JOB-003", "JOB-004", "JOB-005", "JOB-006", "JOB-023", "JOB-024", "JOB-032",
			"JOB-035", "JOB-036", "JOB-041", "JOB-020", "JOB-028"},
		Needs:  suites.Needs{PriorityClasses: map[string]int32{"high": 4100}},
		Weight: 5,
		Drive:  driveCompiled,
		Judge:  judgeCompiled,
	})
}

var (
	plain    = spec{name: "plain", parallelism: 2}
	whole    = spec{name: "whole", parallelism: 3, fields: `"scheduling":{"schedulingPolicy":{"gang":{}}},`}
	together = spec{name: "together", parallelism: 3, fields: `"scheduling":{"schedulingPolicy":{"gang":{"minCount":2}},"disruptionMode":{"all":{}}},`}
	racked   = spec{name: "racked", parallelism: 1, fields: `"scheduling":{"schedulingPolicy":{"gang":{}},"schedulingConstraints":{"topology":[{"key":"example.org/rack"}]}},`}
	claiming = spec{name: "claiming", parallelism: 1, fields: `"scheduling":{"resourceClaims":[{"name":"c","resourceClaimName":"one"}]},`}
)

// ranked needs the class's real name.
func ranked(class string) spec {
	return spec{name: "ranked", parallelism: 1, pod: fmt.Sprintf(`"priorityClassName":%q,`, class)}
}

func driveCompiled(ctx context.Context, env suites.Env) error {
	if err := strangers(ctx, env); err != nil {
		return err
	}
	all := []spec{plain, whole, together, racked, claiming, narrow, claimed, ranked(env.PriorityClass("high"))}
	if err := awaitClass(ctx, env, env.PriorityClass("high")); err != nil {
		return err
	}
	if err := create(ctx, env, all...); err != nil {
		return err
	}
	for _, s := range all {
		if err := inspect(ctx, env, s); err != nil {
			return err
		}
	}
	return lookUpEvents(ctx, env)
}

// awaitClass waits until the API server's admission knows a class, for which it has an informer of its own.
func awaitClass(ctx context.Context, env suites.Env, class string) error {
	return answer.Insist(ctx, env, "class "+class+" is known", answer.Create(podGroups, answer.Object{
		"apiVersion": "scheduling.k8s.io/v1beta1", "kind": "PodGroup", "metadata": answer.Object{},
		"spec": answer.Object{"schedulingPolicy": answer.Object{"basic": answer.Object{}}, "priorityClassName": class},
	}))
}

func judgeCompiled(v *history.View) []suites.Finding {
	return []suites.Finding{
		judgePlain(v), judgeNames(v), judgeWorkloadOwner(v), judgeGroupOwners(v), judgePodOwners(v), judgeDefaultCount(v),
		judgePriority(v), judgeMode(v), judgeClaims(v), judgeOrder(v), judgeConstraints(v),
		judgeNarrow(v), judgeClaimed(v), judgeEvents(v),
	}
}

// judgePlain: a Job that says nothing has a group with the basic policy, and every pod is in it.
func judgePlain(v *history.View) suites.Finding {
	c, s := opened(v, "JOB-001", plain.name, plain.parallelism)
	ok := s.inGroup() == len(s.pods) && s.group != nil && s.workload != nil && len(s.templates()) == 1 &&
		kindOf(specOf(s.group)) == "basic" && kindOf(s.templates()[0]) == "basic"
	return c.Holds(ok, "job %s: %d of %d pods in its group, policy %q, %d templates in its workload; expected all of them, basic, one",
		plain.name, s.inGroup(), len(s.pods), kindOf(specOf(s.group)), len(s.templates()))
}

func judgeNames(v *history.View) suites.Finding {
	c, s := grouped(v, "JOB-002", plain.name, plain.parallelism)
	return c.Saw(fmt.Sprintf("workload %s, group %s", text(s.workload, "metadata.name"), text(s.group, "metadata.name")), "names of what was made for job %s", plain.name)
}

func judgeWorkloadOwner(v *history.View) suites.Finding {
	c, s := grouped(v, "JOB-003", plain.name, plain.parallelism)
	controller, _ := owned(s.workload, s.uid)
	ref := text(s.workload, "spec.controllerRef.apiGroup") + "/" + text(s.workload, "spec.controllerRef.kind") + "/" + text(s.workload, "spec.controllerRef.name")
	return c.Holds(controller && ref == "batch/Job/"+plain.name, "the workload of job %s: the job is its controller: %t, controllerRef %s", plain.name, controller, ref)
}

func judgeGroupOwners(v *history.View) suites.Finding {
	c, s := grouped(v, "JOB-004", plain.name, plain.parallelism)
	controller, _ := owned(s.group, s.uid)
	asController, any := owned(s.group, text(s.workload, "metadata.uid"))
	ref := text(s.group, "spec.workloadRef.templateName")
	known := len(s.templates()) == 1 && text(s.templates()[0], "name") == ref
	return c.Holds(controller && any && !asController && known,
		"the group of job %s: the job is its controller: %t, the workload an owner: %t, its template %q in the workload: %t", plain.name, controller, any, ref, known)
}

func judgePodOwners(v *history.View) suites.Finding {
	c, s := grouped(v, "JOB-005", plain.name, plain.parallelism)
	group, good := text(s.group, "metadata.uid"), 0
	for _, p := range s.pods {
		byJob, byGroup := false, false
		for _, r := range p.First.OwnerReferences {
			controls := r.Controller != nil && *r.Controller
			byJob = byJob || string(r.UID) == s.uid && controls
			byGroup = byGroup || string(r.UID) == group && !controls
		}
		if byJob && byGroup {
			good++
		}
	}
	return c.Holds(good == len(s.pods), "%d of %d pods of job %s are owned by the job, as controller, and by their group", good, len(s.pods), plain.name)
}

func judgeDefaultCount(v *history.View) suites.Finding {
	c, s := grouped(v, "JOB-006", whole.name, whole.parallelism)
	got := number(s.group, "spec.schedulingPolicy.gang.minCount")
	return c.Holds(got == whole.parallelism, "the group of a gang job with parallelism %d and no minCount has minCount %d", whole.parallelism, got)
}

func judgePriority(v *history.View) suites.Finding {
	c, s := grouped(v, "JOB-023", "ranked", 1)
	var pod int32
	class := ""
	if len(s.pods) > 0 {
		pod, class = s.pods[0].Priority, s.pods[0].First.Spec.PriorityClassName
	}
	c.Premise(pod == 4100, nil, "the job's pod has its class's priority (%d)", pod)
	return c.Holds(text(s.group, "spec.priorityClassName") == class && number(s.group, "spec.priority") == int(pod),
		"the pods of job ranked have class %q and priority %d, their group %q and %d", class, pod, text(s.group, "spec.priorityClassName"), number(s.group, "spec.priority"))
}

func judgeMode(v *history.View) suites.Finding {
	c, s := grouped(v, "JOB-024", together.name, together.parallelism)
	all := answer.Has("spec.disruptionMode.all")(s.group)
	got := number(s.group, "spec.schedulingPolicy.gang.minCount")
	return c.Holds(all && got == 2, "the group of a job with disruption mode all and minCount 2: mode all: %t, minCount %d", all, got)
}

func judgeClaims(v *history.View) suites.Finding {
	c, s := grouped(v, "JOB-032", claiming.name, claiming.parallelism)
	claims, _ := answer.Field(s.group, "spec.resourceClaims")
	ok := len(list(claims)) == 1 && text(list(claims)[0], "resourceClaimName") == "one"
	return c.Holds(ok, "the group of a job with one claim has %d", len(list(claims)))
}

func judgeConstraints(v *history.View) suites.Finding {
	c, s := grouped(v, "JOB-036", racked.name, racked.parallelism)
	keys, _ := answer.Field(s.group, "spec.schedulingConstraints.topology")
	ok := len(list(keys)) == 1 && text(list(keys)[0], "key") == "example.org/rack"
	return c.Holds(ok, "the group of a job with one topology constraint has %d", len(list(keys)))
}

// judgeOrder: the group is there before the first pod that names it.
func judgeOrder(v *history.View) suites.Finding {
	c, s := grouped(v, "JOB-035", plain.name, plain.parallelism)
	c.Premise(v.Ordered(), nil, "the record orders groups and pods")
	g := v.Gang(text(s.group, "metadata.name"))
	c.Premise(g != nil, nil, "the group was watched")
	early := 0
	for _, p := range s.pods {
		if g != nil && p.Created.Before(g.Created) {
			early++
		}
	}
	return c.Holds(early == 0, "%d of %d pods of job %s were created before their group", early, len(s.pods), plain.name)
}
