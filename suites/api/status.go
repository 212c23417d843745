package api

import (
	"muster/suites"
	"muster/suites/kit/answer"
)

func init() {
	suites.Register(table("api-group-status", "The status of a group is written at the wrong place and at the right one.", suites.Needs{}, statusRows))
}

// said is a condition as a scheduler writes it.
const said = `"status":{"conditions":[{"type":"PodGroupInitiallyScheduled","status":"False","reason":"Unschedulable","message":"","lastTransitionTime":"2026-03-01T12:00:00Z"}]}`

func withStatus(o answer.Object) answer.Object {
	for k, v := range parse(`{` + said + `}`).(answer.Object) {
		o[k] = v
	}
	return o
}

var statusRows = []answer.Row{
	answer.Show("API-023", "created with a status", answer.Create(podGroups, withStatus(object(beta, "PodGroup", "status", `{"schedulingPolicy":{"gang":{"minCount":2}}}`))), "an empty status", answer.Lacks("status.conditions")),
	answer.Show("API-023", "patched with one", answer.Patch(podGroups, "status", `{"metadata":{"labels":{"a":"b"}},`+said+`}`), "an empty status and the label",
		func(o answer.Object) bool {
			return answer.Lacks("status.conditions")(o) && answer.Equals("metadata.labels.a", "b")(o)
		}),

	answer.Given("API-062", "created", group("reported", `{"schedulingPolicy":{"gang":{"minCount":2}}}`)),
	answer.Show("API-062", "status and more", answer.Patch(podGroups, "reported", `{"metadata":{"labels":{"a":"b"}},"spec":{"schedulingPolicy":{"gang":{"minCount":7}}},`+said+`}`, "status"),
		"the condition, and neither the spec nor the label",
		func(o answer.Object) bool {
			return answer.Has("status.conditions")(o) && answer.Equals(policy+".gang.minCount", 2)(o) && !answer.Has("metadata.labels.a")(o)
		}),
}
