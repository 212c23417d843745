package api

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit/answer"
)

func init() {
	suites.Register(suites.Scenario{
		Name: "api-gates-off", Profile: "api",
		Summary:      "In a cluster with every gate of workloads but GenericWorkload off, objects are created with the fields of those gates.",
		Requirements: answer.IDs(gatesOff),
		Needs: suites.Needs{NoScheduler: true, Gates: map[string]bool{
			"TopologyAwareWorkloadScheduling": false, "DRAWorkloadResourceClaims": false, "PodGroupPreemptionPolicy": false,
			"CompositePodGroup": false, "WorkloadWithJob": false,
			"EvictionRequestAPI": true, // off by default, and only asked about here
		}},
		Isolation: suites.OwnCluster,
		Weight:    10,
		Drive:     driveGatesOff,
		Judge:     func(v *history.View) []suites.Finding { return answer.Judge(v, gatesOff) },
	})
}

// globalDefault is the value of the class that is everybody's default, which only a cluster of one's own can have.
const globalDefault = 77

var gatesOff = []answer.Row{
	answer.Accept("API-016", "without a constraint", group("anywhere", `{"schedulingPolicy":{"basic":{}}}`)),
	answer.Drop("API-016", "a constraint", group("placed", `{"schedulingPolicy":{"basic":{}},"schedulingConstraints":{"topology":[{"key":"rack"}]}}`), "the constraint", answer.Lacks("spec.schedulingConstraints")),
	answer.Drop("API-016", "a constraint set later", answer.Patch(podGroups, "anywhere", `{"spec":{"schedulingConstraints":{"topology":[{"key":"rack"}]}}}`), "the constraint", answer.Lacks("spec.schedulingConstraints")),

	answer.Accept("API-018", "without claims", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{}}}`))),
	answer.Drop("API-018", "a claim", answer.Create(podGroups, claiming(`[{"name":"c","resourceClaimName":"one"}]`)), "the claim", answer.Lacks(claimsPath)),

	answer.Accept("API-022", "without a parent", answer.Create(podGroups, pg(`{`+made+`,"schedulingPolicy":{"basic":{}}}`))),
	answer.Drop("API-022", "a parent", answer.Create(podGroups, pg(`{`+made+`,"parentCompositePodGroupName":"p","schedulingPolicy":{"basic":{}}}`)), "the parent", answer.Lacks("spec.parentCompositePodGroupName")),
	answer.Drop("API-022", "a tree of templates", answer.Create(workloads, deep(1)), "the composites", answer.Lacks("spec.compositePodGroupTemplates")),

	answer.Accept("API-035", "without a policy", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{}}}`))),
	answer.Drop("API-035", "a policy", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{}},"preemptionPolicy":"Never"}`)), "the policy", answer.Lacks(preemption)),

	answer.Accept("API-083", "pod groups", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{}}}`))),
	answer.RefuseAs("API-083", "composites", answer.Create(composites, cpg(`{`+made+`,"schedulingPolicy":{"basic":{}}}`)), "NotFound"),

	answer.Show("API-087", "responders and no group", answer.Create(pods, responded("")), "the responder", answer.Has("spec.evictionResponders")),
	answer.Accept("API-087", "a group and no responders", answer.Create(pods, member("", `{"podGroupName":"g"}`))),
	answer.Refuse("API-087", "both", answer.Create(pods, responded(`,"schedulingGroup":{"podGroupName":"g"}`)), joined, "spec.evictionResponders"),

	answer.Accept("JOB-012", "a job without scheduling", job("plain", "")),
	answer.Drop("JOB-012", "a job with scheduling", job("gang", `"scheduling":{"schedulingPolicy":{"gang":{"minCount":1}}},`), "its scheduling", answer.Lacks("spec.scheduling")),

	answer.Show("API-063", "no class", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{}}}`)), "the default class's value", answer.Equals("spec.priority", globalDefault)),
	answer.Show("API-063", "the class by name", ranked(func(env suites.Env) answer.Object {
		return answer.Object{"priorityClassName": className(env, "default")}
	}), "the class's value", answer.Equals("spec.priority", globalDefault)),
}

// responded is a pod that nobody schedules, with somebody who responds to evictions, and something more in its spec.
func responded(more string) answer.Object {
	return object("v1", "Pod", "", `{"schedulingGates":[{"name":"muster.dev/held"}],"evictionResponders":[{"name":"example.org/drainer","priority":10000}],"containers":[{"name":"main","image":"registry.k8s.io/pause:3.10"}]`+more+`}`)
}

func driveGatesOff(ctx context.Context, env suites.Env) error {
	before := len(gatesOff) - 2
	if err := answer.Drive(ctx, env, gatesOff[:before]); err != nil {
		return err
	}
	make := class("default", answer.Object{"value": int64(globalDefault), "globalDefault": true})
	if _, err := env.Try(ctx, "make the default class", make(env)); err != nil {
		return err
	}
	known := ranked(func(env suites.Env) answer.Object {
		return answer.Object{"priorityClassName": className(env, "default")}
	})
	if err := answer.Insist(ctx, env, "the class is known", known); err != nil {
		return err
	}
	return answer.Drive(ctx, env, gatesOff[before:])
}
