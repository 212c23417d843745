package api

import (
	"context"
	"maps"
	"reflect"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/suites/kit/answer"
)

func init() {
	suites.Register(suites.Scenario{
		Name: "api-two-versions", Profile: "api",
		Summary:      "Objects written in one version of the API are read in the other, and written back.",
		Requirements: []string{"API-056"},
		Weight:       1,
		Drive:        func(ctx context.Context, env suites.Env) error { return answer.Drive(ctx, env, versionRows) },
		Judge:        judgeVersions,
	})
}

const (
	fullGroup    = `{"schedulingPolicy":{"gang":{"minCount":3}},"disruptionMode":{"all":{}},"workloadRef":{"workloadName":"w","templateName":"t"}}`
	fullWorkload = `{"controllerRef":{"apiGroup":"batch","kind":"Job","name":"j"},"podGroupTemplates":[{"name":"a","schedulingPolicy":{"gang":{"minCount":3}},"disruptionMode":{"all":{}},"priorityClassName":"p"},{"name":"b","schedulingPolicy":{"basic":{}},"priorityClassName":"p"}]}`
)

// versionRows write in one version and read in both. Nothing here needs an alpha gate: v1alpha3 is served beside v1beta1.
var versionRows = []answer.Row{
	answer.Given("API-056", "group in v1beta1", group("from-beta", fullGroup)),
	answer.Given("API-056", "group read in v1alpha3", answer.Read(alphaPodGroups, "from-beta")),
	answer.Given("API-056", "group written in v1alpha3", answer.Patch(alphaPodGroups, "from-beta", `{"metadata":{"labels":{"a":"b"}}}`)),
	answer.Given("API-056", "group read in v1beta1", answer.Read(podGroups, "from-beta")),

	answer.Given("API-056", "workload in v1alpha3", answer.Create(alphaWorkloads, object(alpha, "Workload", "from-alpha", fullWorkload))),
	answer.Given("API-056", "workload read in v1beta1", answer.Read(workloads, "from-alpha")),
	answer.Given("API-056", "workload written in v1beta1", answer.Patch(workloads, "from-alpha", `{"metadata":{"labels":{"a":"b"}}}`)),
	answer.Given("API-056", "workload read in v1alpha3", answer.Read(alphaWorkloads, "from-alpha")),
}

// chains are the rows whose objects have to be one object.
var chains = [][]string{
	{"group in v1beta1", "group read in v1alpha3", "group written in v1alpha3", "group read in v1beta1"},
	{"workload in v1alpha3", "workload read in v1beta1", "workload written in v1beta1", "workload read in v1alpha3"},
}

func judgeVersions(v *history.View) []suites.Finding {
	c := kit.Answers(v, "API-056")
	var differ []string
	for _, chain := range chains {
		var first answer.Object
		for _, name := range chain {
			o, ok := answer.Of(v, "API-056", name)
			c.Premise(ok, nil, "%q was accepted", name)
			if !ok {
				continue
			}
			if first == nil {
				first = o
			}
			if !sameObject(first, o) {
				differ = append(differ, name)
			}
		}
	}
	return []suites.Finding{c.Holds(len(differ) == 0, "%d of %d readings differ from what was written: %q",
		len(differ), len(versionRows), differ)}
}

// sameObject compares what a conversion may not change: the identity and the spec.
func sameObject(a, b answer.Object) bool {
	uid := func(o answer.Object) any { v, _ := answer.Field(o, "metadata.uid"); return v }
	spec := func(o answer.Object) answer.Object { s, _ := o["spec"].(answer.Object); return maps.Clone(s) }
	return uid(a) == uid(b) && reflect.DeepEqual(spec(a), spec(b))
}
