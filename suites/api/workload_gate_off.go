package api

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit/answer"
)

func init() {
	suites.Register(suites.Scenario{
		Name: "api-workload-gate-off", Profile: "api",
		Summary:      "In a cluster with GenericWorkload off, groups and Workloads are created, a pod and a Job of a group.",
		Requirements: answer.IDs(workloadOff),
		// Whatever needs the gate has to go off with it, also where the run asks for it.
		Needs: suites.Needs{NoScheduler: true, Gates: map[string]bool{
			"GenericWorkload": false, "TopologyAwareWorkloadScheduling": false, "DRAWorkloadResourceClaims": false,
			"PodGroupPreemptionPolicy": false, "CompositePodGroup": false, "WorkloadWithJob": false,
		}},
		Isolation: suites.OwnCluster,
		Weight:    10,
		Drive:     func(ctx context.Context, env suites.Env) error { return answer.Drive(ctx, env, workloadOff) },
		Judge:     func(v *history.View) []suites.Finding { return answer.Judge(v, workloadOff) },
	})
}

// workloadOff is what an API server of before the gate would answer. A refused row has a twin that shows that the server
// takes requests at all.
var workloadOff = []answer.Row{
	answer.Accept("API-084", "a job", job("usual", "")),
	answer.RefuseAs("API-084", "a group", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{}}}`)), "NotFound"),
	answer.RefuseAs("API-084", "a group in v1alpha3", answer.Create(alphaPodGroups, object(alpha, "PodGroup", "", `{"schedulingPolicy":{"basic":{}}}`)), "NotFound"),
	answer.RefuseAs("API-084", "a workload", answer.Create(workloads, wl(`{"podGroupTemplates":[{"name":"t","schedulingPolicy":{"basic":{}}}]}`)), "NotFound"),

	answer.Accept("API-085", "a pod without a group", answer.Create(pods, member("", ""))),
	answer.Drop("API-085", "a pod of a group", answer.Create(pods, member("", `{"podGroupName":"g"}`)), "its group", answer.Lacks(joined)),
	answer.Drop("API-085", "a job whose pods are of a group", answer.Create(jobs, object("batch/v1", "Job", "", `{"suspend":true,"template":{"spec":{"schedulingGroup":{"podGroupName":"g"},"restartPolicy":"Never","containers":[{"name":"main","image":"registry.k8s.io/pause:3.10"}]}}}`)),
		"their group", answer.Lacks("spec.template.spec.schedulingGroup")),
}
