package job

import (
	"net/http"

	batchv1 "k8s.io/api/batch/v1"

	"muster/fakes/faults"
	"muster/suites/kit/answer"
	"muster/suites/prove/rewrite"
)

// Rewrites are the control planes that are wrong on purpose about Jobs: those of the table of fields, and controllers whose
// work looks otherwise than it has to.
func Rewrites() []rewrite.Rewrite {
	gang := func(job string, n int) faults.Lens {
		return rewrite.Change(rewrite.OwnedBy(job), n, "spec", "schedulingPolicy", "gang", "minCount")
	}
	of := rewrite.OwnedBy
	out := rewrite.Table("job", fields)
	for _, w := range []struct {
		id, about, resource string
		lens                faults.Lens
	}{
		{"JOB-001", "The group of a Job that says nothing is a gang.", "podgroups",
			rewrite.Change(of(plain.name), rewrite.Object{"gang": rewrite.Object{"minCount": 1}}, "spec", "schedulingPolicy")},
		{"JOB-003", "A Job's Workload does not refer to the Job.", "workloads",
			rewrite.Change(of(plain.name), nil, "spec", "controllerRef")},
		{"JOB-004", "A Job's PodGroup refers to a template that its Workload does not have.", "podgroups",
			rewrite.Change(of(plain.name), "another", "spec", "workloadRef", "templateName")},
		{"JOB-005", "A Job's pods are owned by nobody.", "pods",
			rewrite.Change(ofJob(plain.name), nil, "metadata", "ownerReferences")},
		{"JOB-006", "The group of a gang Job without a minCount has minCount 1.", "podgroups", gang(whole.name, 1)},
		{"JOB-008", "A group does not follow the minCount of its Job.", "podgroups", gang(counted.name, 3)},
		{"JOB-009", "A group does not follow the parallelism of its Job.", "podgroups", gang(implied.name, 3)},
		{"JOB-013", "Pods lose the group that the Job's template names.", "pods",
			rewrite.Change(ofJob(brought.name), nil, "spec", "schedulingGroup")},
		{"JOB-014", "A Job of a CronJob has no Workload.", "workloads", rewrite.Hide(of(timed.name))},
		{"JOB-015", "The group of a delegate is made from another template than the parent's.", "podgroups",
			rewrite.Change(of(delegate.name), "another", "spec", "workloadRef", "templateName")},
		{"JOB-017", "A suspended Job has no group.", "podgroups", rewrite.Hide(of(sleeper.name))},
		{"JOB-020", "The pods of a Job are in a group that merely refers to it.", "pods",
			rewrite.Change(ofJob(claimed.name), theirs, "spec", "schedulingGroup", "podGroupName")},
		{"JOB-023", "A group does not have the priority of its Job's pods.", "podgroups",
			rewrite.Change(of("ranked"), 0, "spec", "priority")},
		{"JOB-024", "A group does not have the disruption mode of its Job.", "podgroups",
			rewrite.Change(of(together.name), rewrite.Object{"single": rewrite.Object{}}, "spec", "disruptionMode")},
		{"JOB-030", "A Job of a system class gets no pods.", "pods", rewrite.Hide(ofJob(system.name))},
		{"JOB-031", "A Job of a class that never preempts gets no pods.", "pods", rewrite.Hide(ofJob("polite"))},
		{"JOB-029", "A Job with a dot in its name gets no pods.", "pods", rewrite.Hide(ofJob(dotted.name))},
		{"JOB-040", "A Job with a long name gets no pods.", "pods", rewrite.Hide(ofJob(long.name))},
		{"JOB-032", "A group does not have the claims of its Job.", "podgroups",
			rewrite.Change(of(claiming.name), nil, "spec", "resourceClaims")},
		{"JOB-034", "The pods of a parent's Job have a group.", "pods",
			rewrite.Change(ofJob(child.name), "made-up", "spec", "schedulingGroup", "podGroupName")},
		{"JOB-036", "A group does not have the constraints of its Job.", "podgroups",
			rewrite.Change(of(racked.name), nil, "spec", "schedulingConstraints")},
		{"JOB-039", "A delegate's group does not follow the parent's template.", "podgroups", gang(delegate.name, 2)},
		{"JOB-043", "The group of a delegate is under no composite.", "podgroups",
			rewrite.Change(of(linked.name), nil, "spec", "parentCompositePodGroupName")},
	} {
		out = append(out, rewrite.Seen(w.id, "job", w.about, map[string]faults.Lens{w.resource: w.lens}))
	}
	return append(out, stories()...)
}

// stories are the rewrites that have to remember, or to do something.
func stories() []rewrite.Rewrite {
	// later shows the pods of a Job otherwise that come after its first two.
	later := func(id, job string, group any, path ...string) func() []faults.Rule {
		return func() []faults.Rule {
			return rewrite.Through(id, map[string]faults.Lens{"pods": rewrite.Change(rewrite.Beyond(2, ofJob(job)), group, path...)})
		}
	}
	restarted := rewrite.Told("JOB-019", "job", "A controller that was restarted puts pods into a group that is not their Job's.",
		later("JOB-019", lasting.name, "another", "spec", "schedulingGroup", "podGroupName"))
	return []rewrite.Rewrite{
		rewrite.Told("JOB-018", "job", "The pods of a Job that was resumed have no group.", later("JOB-018", sleeper.name, nil, "spec", "schedulingGroup")),
		restarted,
		// The garbage collector takes the Job off the group's owners before it deletes it.
		rewrite.Told("JOB-025", "job", "The group of a Job stays when the Job goes.", func() []faults.Rule {
			return rewrite.Through("JOB-025", map[string]faults.Lens{"podgroups": {Keep: rewrite.Ever(rewrite.OwnedBy(passing.name))}})
		}),
		rewrite.Told("JOB-035", "job", "The group of a Job comes after its pods.", lateGroup),
	}
}

// shown is the annotation that brings a group into view.
const shown = "muster.dev/shown"

// lateGroup hides the group of a Job from whoever watches until the driver, which knows it from its pods, has asked for it.
func lateGroup() []faults.Rule {
	hidden := rewrite.Hide(func(o rewrite.Object) bool {
		return rewrite.OwnedBy(plain.name)(o) && rewrite.At(o, "metadata", "annotations", shown) == nil
	})
	out := []faults.Rule{rewrite.Besides("JOB-035", "patch", "podgroups", "", func(q faults.Request, a faults.Answer) []faults.Call {
		if !rewrite.OwnedBy(plain.name)(answer.Decode(a.Body)) {
			return nil
		}
		return []faults.Call{{
			Method: http.MethodPatch, Path: "/apis/scheduling.k8s.io/v1beta1/namespaces/" + q.Namespace + "/podgroups/" + q.Name,
			Body: []byte(`{"metadata":{"annotations":{"` + shown + `":"now"}}}`),
		}}
	})}
	for _, verb := range []string{"list", "watch"} {
		out = append(out, faults.Rule{Name: rewrite.Prefix + "JOB-035 " + verb, Verb: verb, Resource: "podgroups", Fault: faults.Fault{Lens: &hidden}})
	}
	return out
}

// ofJob picks the pods of a Job.
func ofJob(name string) func(rewrite.Object) bool {
	return func(o rewrite.Object) bool { return rewrite.At(o, "metadata", "labels", batchv1.JobNameLabel) == name }
}
