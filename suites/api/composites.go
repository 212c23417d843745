package api

import (
	"fmt"

	"muster/suites"
	"muster/suites/kit/answer"
)

func init() {
	suites.Register(table("api-composite-groups", "CompositePodGroups are created well and badly, and changed.", suites.Needs{}, compositeGroups))
}

// made is the reference every CompositePodGroup needs.
const made = `"workloadRef":{"workloadName":"w","templateName":"t"}`

var compositeGroups = []answer.Row{
	answer.Accept("API-052", "with a reference", answer.Create(composites, cpg(`{`+made+`,"schedulingPolicy":{"basic":{}}}`))),
	answer.Refuse("API-052", "without", answer.Create(composites, cpg(`{"schedulingPolicy":{"basic":{}}}`)), "spec.workloadRef"),

	answer.Accept("API-070", "gang", answer.Create(composites, cpg(`{`+made+`,"schedulingPolicy":{"gang":{"minGroupCount":1}}}`))),
	answer.Refuse("API-070", "neither", answer.Create(composites, cpg(`{`+made+`,"schedulingPolicy":{}}`)), policy),
	answer.Refuse("API-070", "both", answer.Create(composites, cpg(`{`+made+`,"schedulingPolicy":{"basic":{},"gang":{"minGroupCount":1}}}`)), policy),

	answer.Accept("API-071", "one", answer.Create(composites, cpg(`{`+made+`,"schedulingPolicy":{"gang":{"minGroupCount":1}}}`))),
	answer.Refuse("API-071", "zero", answer.Create(composites, cpg(`{`+made+`,"schedulingPolicy":{"gang":{"minGroupCount":0}}}`)), policy+".gang.minGroupCount"),
	answer.Refuse("API-071", "negative", answer.Create(composites, cpg(`{`+made+`,"schedulingPolicy":{"gang":{"minGroupCount":-2}}}`)), policy+".gang.minGroupCount"),

	answer.Given("API-072", "created", composite("fixed", `{`+made+`,"schedulingPolicy":{"gang":{"minGroupCount":2}},"disruptionMode":{"all":{}}}`)),
	answer.Accept("API-072", "another label", answer.Patch(composites, "fixed", `{"metadata":{"labels":{"a":"b"}}}`)),
	answer.Refuse("API-072", "another minGroupCount", answer.Patch(composites, "fixed", `{"spec":{"schedulingPolicy":{"gang":{"minGroupCount":3}}}}`), policy),
	answer.Refuse("API-072", "another policy", answer.Patch(composites, "fixed", `{"spec":{"schedulingPolicy":{"gang":null,"basic":{}}}}`), policy),
	answer.Refuse("API-072", "another mode", answer.Patch(composites, "fixed", `{"spec":{"disruptionMode":{"all":null,"single":{}}}}`), "spec.disruptionMode"),
	answer.Refuse("API-072", "another template", answer.Patch(composites, "fixed", `{"spec":{"workloadRef":{"templateName":"u"}}}`), "spec.workloadRef"),
	answer.Refuse("API-072", "a parent", answer.Patch(composites, "fixed", `{"spec":{"parentCompositePodGroupName":"p"}}`), "spec.parentCompositePodGroupName"),
	answer.Refuse("API-072", "a constraint", answer.Patch(composites, "fixed", `{"spec":{"schedulingConstraints":{"topology":[{"key":"rack"}]}}}`), "spec.schedulingConstraints"),

	answer.Show("API-073", "omitted", answer.Create(composites, cpg(`{`+made+`,"schedulingPolicy":{"basic":{}}}`)), "the mode single", answer.Has("spec.disruptionMode.single")),
	answer.Show("API-073", "all", answer.Create(composites, cpg(`{`+made+`,"schedulingPolicy":{"basic":{}},"disruptionMode":{"all":{}}}`)), "the mode all", answer.Has("spec.disruptionMode.all")),

	answer.Accept("API-021", "a parent and a reference", answer.Create(podGroups, pg(`{`+made+`,"parentCompositePodGroupName":"p","schedulingPolicy":{"basic":{}}}`))),
	answer.Refuse("API-021", "a parent alone", answer.Create(podGroups, pg(`{"parentCompositePodGroupName":"p","schedulingPolicy":{"basic":{}}}`)), "spec.workloadRef"),

	answer.Given("API-051", "a composite in v1alpha3", answer.Create(composites, cpg(`{`+made+`,"schedulingPolicy":{"basic":{}}}`))),
	answer.Observe("API-051", "a composite in v1beta1", answer.Create(betaComposites, object(beta, "CompositePodGroup", "", `{`+made+`,"schedulingPolicy":{"basic":{}}}`)), nil),

	answer.Given("API-055", "a pod group", group("twin", `{"schedulingPolicy":{"basic":{}}}`)),
	answer.Observe("API-055", "a composite of that name", composite("twin", `{`+made+`,"schedulingPolicy":{"basic":{}}}`), nil),

	answer.Given("API-086", "a pod group", group("whole-group", `{"schedulingPolicy":{"basic":{}}}`)),
	answer.Observe("API-086", "a composite", composite("whole", `{`+made+`,"schedulingPolicy":{"basic":{}}}`), func(_ string, o answer.Object) string {
		if list, _ := answer.Field(o, "metadata.finalizers"); list != nil {
			return fmt.Sprintf("finalizers %v", list)
		}
		return "no finalizers"
	}),

	answer.Given("API-057", "a composite", composite("ring-a", `{`+made+`,"parentCompositePodGroupName":"ring-b","schedulingPolicy":{"basic":{}}}`)),
	answer.Observe("API-057", "its parent as its child", composite("ring-b", `{`+made+`,"parentCompositePodGroupName":"ring-a","schedulingPolicy":{"basic":{}}}`), nil),
}
