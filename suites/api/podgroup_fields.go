package api

import (
	"muster/suites"
	"muster/suites/kit/answer"
)

func init() {
	suites.Register(table("api-podgroup-fields", "PodGroups with good and bad fields are created.", suites.Needs{}, podGroupFields))
}

const policy = "spec.schedulingPolicy"

var podGroupFields = []answer.Row{
	answer.Show("API-001", "create", group("crud", `{"schedulingPolicy":{"gang":{"minCount":2}}}`), "its spec", answer.Equals("spec.schedulingPolicy.gang.minCount", 2)),
	answer.Show("API-001", "patch", answer.Patch(podGroups, "crud", `{"metadata":{"labels":{"a":"b"}}}`), "the label", answer.Equals("metadata.labels.a", "b")),
	answer.Show("API-001", "read again", answer.Read(podGroups, "crud"), "the label", answer.Equals("metadata.labels.a", "b")),
	answer.Accept("API-001", "delete", answer.Delete(podGroups, "crud")),
	answer.Accept("API-001", "create a workload", workload("crud", `{"podGroupTemplates":[{"name":"t","schedulingPolicy":{"basic":{}}}]}`)),
	answer.Show("API-001", "patch a workload", answer.Patch(workloads, "crud", `{"metadata":{"labels":{"a":"b"}}}`), "the label", answer.Equals("metadata.labels.a", "b")),
	answer.Accept("API-001", "delete a workload", answer.Delete(workloads, "crud")),
	answer.RefuseAs("API-001", "read a deleted workload", answer.Read(workloads, "crud"), "NotFound"),

	answer.Accept("API-008", "basic alone", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{}}}`))),
	answer.Accept("API-008", "gang alone", answer.Create(podGroups, pg(`{"schedulingPolicy":{"gang":{"minCount":1}}}`))),
	answer.Refuse("API-008", "neither", answer.Create(podGroups, pg(`{"schedulingPolicy":{}}`)), policy),
	answer.Refuse("API-008", "both", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{},"gang":{"minCount":1}}}`)), policy),

	answer.Accept("API-009", "one", group("positive", `{"schedulingPolicy":{"gang":{"minCount":1}}}`)),
	answer.Refuse("API-009", "zero", answer.Create(podGroups, pg(`{"schedulingPolicy":{"gang":{"minCount":0}}}`)), policy+".gang.minCount"),
	answer.Refuse("API-009", "negative", answer.Create(podGroups, pg(`{"schedulingPolicy":{"gang":{"minCount":-1}}}`)), policy+".gang.minCount"),
	answer.Refuse("API-009", "changed to zero", answer.Patch(podGroups, "positive", `{"spec":{"schedulingPolicy":{"gang":{"minCount":0}}}}`), policy+".gang.minCount"),

	answer.Show("API-013", "omitted", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{}}}`)), "the mode single", answer.Has("spec.disruptionMode.single")),
	answer.Show("API-013", "all", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{}},"disruptionMode":{"all":{}}}`)), "the mode all alone",
		func(o answer.Object) bool {
			return answer.Has("spec.disruptionMode.all")(o) && !answer.Has("spec.disruptionMode.single")(o)
		}),

	answer.Accept("API-014", "single", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{}},"disruptionMode":{"single":{}}}`))),
	answer.Accept("API-014", "all", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{}},"disruptionMode":{"all":{}}}`))),
	answer.Refuse("API-014", "both", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{}},"disruptionMode":{"single":{},"all":{}}}`)), "spec.disruptionMode"),
	answer.Refuse("API-014", "neither", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{}},"disruptionMode":{}}`)), "spec.disruptionMode"),

	answer.Show("API-015", "one constraint", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{}},"schedulingConstraints":{"topology":[{"key":"example.org/rack"}]}}`)),
		"the constraint", answer.Has("spec.schedulingConstraints.topology")),
	answer.Accept("API-015", "constraints, and none of them", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{}},"schedulingConstraints":{}}`))),
	answer.Refuse("API-015", "two constraints", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{}},"schedulingConstraints":{"topology":[{"key":"example.org/rack"},{"key":"example.org/zone"}]}}`)), "spec.schedulingConstraints.topology"),
	answer.Accept("API-058", "a label's key", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{}},"schedulingConstraints":{"topology":[{"key":"rack"}]}}`))),
	answer.Refuse("API-058", "no key", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{}},"schedulingConstraints":{"topology":[{"key":""}]}}`)), "spec.schedulingConstraints.topology[0].key"),
	answer.Refuse("API-058", "no label's key", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{}},"schedulingConstraints":{"topology":[{"key":"not a key"}]}}`)), "spec.schedulingConstraints.topology[0].key"),

	answer.Show("API-019", "no such workload", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{}},"workloadRef":{"workloadName":"nowhere","templateName":"t"}}`)),
		"the reference", answer.Equals("spec.workloadRef.workloadName", "nowhere")),
	answer.Given("API-019", "a workload", workload("plan", `{"podGroupTemplates":[{"name":"t","schedulingPolicy":{"gang":{"minCount":3}}}]}`)),
	answer.Show("API-019", "another policy than its template's", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{}},"workloadRef":{"workloadName":"plan","templateName":"t"}}`)),
		"the policy it came with", answer.Has("spec.schedulingPolicy.basic")),

	answer.Accept("API-020", "good names", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{}},"workloadRef":{"workloadName":"a.b","templateName":"t"}}`))),
	answer.Refuse("API-020", "no workload", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{}},"workloadRef":{"templateName":"t"}}`)), "spec.workloadRef.workloadName"),
	answer.Refuse("API-020", "no template", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{}},"workloadRef":{"workloadName":"a"}}`)), "spec.workloadRef.templateName"),
	answer.Refuse("API-020", "a bad workload", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{}},"workloadRef":{"workloadName":"A_b","templateName":"t"}}`)), "spec.workloadRef.workloadName"),
	answer.Refuse("API-020", "a template with a dot", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{}},"workloadRef":{"workloadName":"a","templateName":"t.u"}}`)), "spec.workloadRef.templateName"),

	answer.Accept("API-026", "a subdomain", group("a.name-of.1", `{"schedulingPolicy":{"basic":{}}}`)),
	answer.Refuse("API-026", "upper case", group("A-Name", `{"schedulingPolicy":{"basic":{}}}`), "metadata.name"),
	answer.Refuse("API-026", "an underscore", group("a_name", `{"schedulingPolicy":{"basic":{}}}`), "metadata.name"),

	answer.Show("API-036", "created", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{}}}`)), "a finalizer", answer.Has("metadata.finalizers")),
}
