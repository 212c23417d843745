package api

import (
	"muster/suites"
	"muster/suites/kit/answer"
)

func init() {
	suites.Register(table("api-pod-membership", "Pods name their group well and badly, and try to change it.", suites.Needs{}, membership))
}

const joined = "spec.schedulingGroup"

// member is a pod that nobody schedules (it is gated), with what is given of a schedulingGroup; empty: none.
func member(name, group string) answer.Object {
	more := ""
	if group != "" {
		more = `,"schedulingGroup":` + group
	}
	return object("v1", "Pod", name, `{"schedulingGates":[{"name":"muster.dev/held"}],"containers":[{"name":"main","image":"registry.k8s.io/pause:3.10"}]`+more+`}`)
}

var membership = []answer.Row{
	answer.Show("API-005", "a group that does not exist", answer.Create(pods, member("", `{"podGroupName":"not-yet"}`)), "the group's name", answer.Equals(joined+".podGroupName", "not-yet")),

	answer.Accept("API-004", "a subdomain", answer.Create(pods, member("", `{"podGroupName":"a.name-of.1"}`))),
	answer.Refuse("API-004", "upper case", answer.Create(pods, member("", `{"podGroupName":"A-Name"}`)), joined+".podGroupName"),
	answer.Refuse("API-004", "a slash", answer.Create(pods, member("", `{"podGroupName":"a/b"}`)), joined+".podGroupName"),

	answer.Accept("API-007", "a name", answer.Create(pods, member("", `{"podGroupName":"g"}`))),
	answer.Refuse("API-007", "no name", answer.Create(pods, member("", `{}`)), joined),
	answer.Refuse("API-007", "an empty name", answer.Create(pods, member("", `{"podGroupName":""}`)), joined),

	answer.Given("API-006", "a member", answer.Create(pods, member("joined", `{"podGroupName":"g"}`))),
	answer.Given("API-006", "a pod", answer.Create(pods, member("free", ""))),
	answer.Accept("API-006", "another label", answer.Patch(pods, "joined", `{"metadata":{"labels":{"a":"b"}}}`)),
	answer.Refuse("API-006", "another group", answer.Patch(pods, "joined", `{"spec":{"schedulingGroup":{"podGroupName":"h"}}}`), "spec"),
	answer.Refuse("API-006", "no group", answer.Patch(pods, "joined", `{"spec":{"schedulingGroup":null}}`), "spec"),
	answer.Refuse("API-006", "a group at last", answer.Patch(pods, "free", `{"spec":{"schedulingGroup":{"podGroupName":"g"}}}`), "spec"),
}
