package api

import (
	"muster/suites"
	"muster/suites/kit/answer"
)

func init() {
	suites.Register(table("api-podgroup-updates", "Every field of a PodGroup is changed, set and taken away.", suites.Needs{}, podGroupUpdates))
}

var podGroupUpdates = []answer.Row{
	answer.Given("API-010", "created", group("elastic", `{"schedulingPolicy":{"gang":{"minCount":2}}}`)),
	answer.Show("API-010", "raised", answer.Patch(podGroups, "elastic", `{"spec":{"schedulingPolicy":{"gang":{"minCount":5}}}}`), "five", answer.Equals(policy+".gang.minCount", 5)),
	answer.Show("API-010", "lowered", answer.Patch(podGroups, "elastic", `{"spec":{"schedulingPolicy":{"gang":{"minCount":1}}}}`), "one", answer.Equals(policy+".gang.minCount", 1)),

	answer.Given("API-011", "a gang", group("gang", `{"schedulingPolicy":{"gang":{"minCount":2}}}`)),
	answer.Given("API-011", "a basic group", group("basic", `{"schedulingPolicy":{"basic":{}}}`)),
	answer.Accept("API-011", "another label", answer.Patch(podGroups, "gang", `{"metadata":{"labels":{"a":"b"}}}`)),
	answer.Refuse("API-011", "gang to basic", answer.Patch(podGroups, "gang", `{"spec":{"schedulingPolicy":{"gang":null,"basic":{}}}}`), policy),
	answer.Refuse("API-011", "basic to gang", answer.Patch(podGroups, "basic", `{"spec":{"schedulingPolicy":{"basic":null,"gang":{"minCount":1}}}}`), policy),

	answer.Given("API-012", "with a reference", group("referring", `{"schedulingPolicy":{"basic":{}},"workloadRef":{"workloadName":"w","templateName":"t"}}`)),
	answer.Given("API-012", "without", group("alone", `{"schedulingPolicy":{"basic":{}}}`)),
	answer.Accept("API-012", "the same again", answer.Patch(podGroups, "referring", `{"metadata":{"labels":{"a":"b"}},"spec":{"workloadRef":{"templateName":"t"}}}`)),
	answer.Refuse("API-012", "changed", answer.Patch(podGroups, "referring", `{"spec":{"workloadRef":{"templateName":"u"}}}`), "spec.workloadRef"),
	answer.Refuse("API-012", "taken away", answer.Patch(podGroups, "referring", `{"spec":{"workloadRef":null}}`), "spec.workloadRef"),
	answer.Refuse("API-012", "set", answer.Patch(podGroups, "alone", `{"spec":{"workloadRef":{"workloadName":"w","templateName":"t"}}}`), "spec.workloadRef"),

	answer.Given("API-074", "created", group("disrupted", `{"schedulingPolicy":{"basic":{}},"disruptionMode":{"all":{}}}`)),
	answer.Accept("API-074", "the same again", answer.Patch(podGroups, "disrupted", `{"metadata":{"labels":{"a":"b"}},"spec":{"disruptionMode":{"all":{}}}}`)),
	answer.Refuse("API-074", "changed", answer.Patch(podGroups, "disrupted", `{"spec":{"disruptionMode":{"all":null,"single":{}}}}`), "spec.disruptionMode"),

	answer.Given("API-075", "created", group("ranked", `{"schedulingPolicy":{"basic":{}}}`)),
	answer.Accept("API-075", "the same again", answer.Patch(podGroups, "ranked", `{"metadata":{"labels":{"a":"b"}},"spec":{"priority":0}}`)),
	answer.Refuse("API-075", "another priority", answer.Patch(podGroups, "ranked", `{"spec":{"priority":7}}`), "spec.priority"),
	answer.Refuse("API-075", "a class", answer.Patch(podGroups, "ranked", `{"spec":{"priorityClassName":"later"}}`), "spec.priorityClassName"),

	answer.Given("API-076", "created", group("placed", `{"schedulingPolicy":{"basic":{}},"schedulingConstraints":{"topology":[{"key":"rack"}]}}`)),
	answer.Given("API-076", "created without", group("anywhere", `{"schedulingPolicy":{"basic":{}}}`)),
	answer.Accept("API-076", "the same again", answer.Patch(podGroups, "placed", `{"metadata":{"labels":{"a":"b"}},"spec":{"schedulingConstraints":{"topology":[{"key":"rack"}]}}}`)),
	answer.Refuse("API-076", "changed", answer.Patch(podGroups, "placed", `{"spec":{"schedulingConstraints":{"topology":[{"key":"zone"}]}}}`), "spec.schedulingConstraints"),
	answer.Refuse("API-076", "taken away", answer.Patch(podGroups, "placed", `{"spec":{"schedulingConstraints":null}}`), "spec.schedulingConstraints"),
	answer.Refuse("API-076", "set", answer.Patch(podGroups, "anywhere", `{"spec":{"schedulingConstraints":{"topology":[{"key":"zone"}]}}}`), "spec.schedulingConstraints"),

	answer.Given("API-077", "created", group("claiming", `{"schedulingPolicy":{"basic":{}},"resourceClaims":[{"name":"c","resourceClaimName":"one"}]}`)),
	answer.Accept("API-077", "another label", answer.Patch(podGroups, "claiming", `{"metadata":{"labels":{"a":"b"}}}`)),
	answer.Refuse("API-077", "changed", answer.Patch(podGroups, "claiming", `{"spec":{"resourceClaims":[{"name":"c","resourceClaimName":"two"}]}}`), "spec.resourceClaims"),
	answer.Refuse("API-077", "added", answer.Patch(podGroups, "claiming", `{"spec":{"resourceClaims":[{"name":"c","resourceClaimName":"one"},{"name":"d","resourceClaimName":"two"}]}}`), "spec.resourceClaims"),
	answer.Refuse("API-077", "taken away", answer.Patch(podGroups, "claiming", `{"spec":{"resourceClaims":null}}`), "spec.resourceClaims"),

	answer.Given("API-078", "created", group("polite", `{"schedulingPolicy":{"basic":{}},"preemptionPolicy":"PreemptLowerPriority"}`)),
	answer.Accept("API-078", "another label", answer.Patch(podGroups, "polite", `{"metadata":{"labels":{"a":"b"}}}`)),
	answer.Refuse("API-078", "changed", answer.Patch(podGroups, "polite", `{"spec":{"preemptionPolicy":"Never"}}`), "spec.preemptionPolicy"),

	answer.Given("API-079", "created", group("child", `{"schedulingPolicy":{"basic":{}},"parentCompositePodGroupName":"p","workloadRef":{"workloadName":"w","templateName":"t"}}`)),
	answer.Given("API-079", "created without", group("orphan", `{"schedulingPolicy":{"basic":{}},"workloadRef":{"workloadName":"w","templateName":"t"}}`)),
	answer.Accept("API-079", "another label", answer.Patch(podGroups, "child", `{"metadata":{"labels":{"a":"b"}}}`)),
	answer.Refuse("API-079", "changed", answer.Patch(podGroups, "child", `{"spec":{"parentCompositePodGroupName":"q"}}`), "spec.parentCompositePodGroupName"),
	answer.Refuse("API-079", "taken away", answer.Patch(podGroups, "child", `{"spec":{"parentCompositePodGroupName":null}}`), "spec.parentCompositePodGroupName"),
	answer.Refuse("API-079", "set", answer.Patch(podGroups, "orphan", `{"spec":{"parentCompositePodGroupName":"q"}}`), "spec.parentCompositePodGroupName"),

	answer.Given("API-025", "created", group("conditional", `{"schedulingPolicy":{"gang":{"minCount":2}}}`)),
	answer.Accept("API-025", "patched", answer.Patch(podGroups, "conditional", `{"spec":{"schedulingPolicy":{"gang":{"minCount":3}}}}`)),
	answer.Given("API-025", "a workload", workload("conditional", `{"podGroupTemplates":[{"name":"t","schedulingPolicy":{"gang":{"minCount":2}}}]}`)),
	answer.Refuse("API-025", "a workload replaced without", answer.Update(workloads, object(beta, "Workload", "conditional", `{"podGroupTemplates":[{"name":"t","schedulingPolicy":{"gang":{"minCount":3}}}]}`)), "metadata.resourceVersion"),
	answer.Refuse("API-025", "replaced without a resource version", answer.Update(podGroups, object(beta, "PodGroup", "conditional", `{"schedulingPolicy":{"gang":{"minCount":4}}}`)), "metadata.resourceVersion"),
}
