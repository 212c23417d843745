package job

import (
	batchv1 "k8s.io/api/batch/v1"

	"muster/fakes/faults"
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
		{"JOB-023", "A group does not have the priority of its Job's pods.", "podgroups",
			rewrite.Change(of("ranked"), 0, "spec", "priority")},
		{"JOB-024", "A group does not have the disruption mode of its Job.", "podgroups",
			rewrite.Change(of(together.name), rewrite.Object{"single": rewrite.Object{}}, "spec", "disruptionMode")},
		{"JOB-025", "The group of a Job stays when the Job goes.", "podgroups", faults.Lens{Keep: of(passing.name)}},
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
	} {
		out = append(out, rewrite.Seen(w.id, "job", w.about, map[string]faults.Lens{w.resource: w.lens}))
	}
	return out
}

// ofJob picks the pods of a Job.
func ofJob(name string) func(rewrite.Object) bool {
	return func(o rewrite.Object) bool { return rewrite.At(o, "metadata", "labels", batchv1.JobNameLabel) == name }
}
