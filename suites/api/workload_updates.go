package api

import (
	"muster/suites"
	"muster/suites/kit/answer"
)

func init() {
	suites.Register(table("api-workload-updates", "The templates and the reference of a Workload are changed.", suites.Needs{}, workloadUpdates))
}

var workloadUpdates = []answer.Row{
	answer.Given("API-045", "created", workload("fixed", `{"podGroupTemplates":[{"name":"a","schedulingPolicy":{"basic":{}}},{"name":"b","schedulingPolicy":{"basic":{}}}]}`)),
	answer.Accept("API-045", "another label", answer.Patch(workloads, "fixed", `{"metadata":{"labels":{"a":"b"}}}`)),
	answer.Refuse("API-045", "one more", answer.Patch(workloads, "fixed", `{"spec":{"podGroupTemplates":[{"name":"a","schedulingPolicy":{"basic":{}}},{"name":"b","schedulingPolicy":{"basic":{}}},{"name":"c","schedulingPolicy":{"basic":{}}}]}}`), templates),
	answer.Refuse("API-045", "one fewer", answer.Patch(workloads, "fixed", `{"spec":{"podGroupTemplates":[{"name":"a","schedulingPolicy":{"basic":{}}}]}}`), templates),
	answer.Refuse("API-045", "another name", answer.Patch(workloads, "fixed", `{"spec":{"podGroupTemplates":[{"name":"a","schedulingPolicy":{"basic":{}}},{"name":"c","schedulingPolicy":{"basic":{}}}]}}`), templates),

	answer.Given("API-046", "created", workload("elastic", `{"podGroupTemplates":[{"name":"a","schedulingPolicy":{"gang":{"minCount":2}}}]}`)),
	answer.Show("API-046", "another minCount", answer.Patch(workloads, "elastic", `{"spec":{"podGroupTemplates":[{"name":"a","schedulingPolicy":{"gang":{"minCount":3}}}]}}`), "three",
		func(o answer.Object) bool { return count(o, 0) == 3 }),
	answer.Refuse("API-046", "minCount 0", answer.Patch(workloads, "elastic", `{"spec":{"podGroupTemplates":[{"name":"a","schedulingPolicy":{"gang":{"minCount":0}}}]}}`), templates),

	answer.Given("API-080", "created", workload("templated", `{"podGroupTemplates":[{"name":"a","schedulingPolicy":{"gang":{"minCount":2}},"disruptionMode":{"all":{}},"priorityClassName":"p"}]}`)),
	answer.Accept("API-080", "the same again", answer.Patch(workloads, "templated", `{"metadata":{"labels":{"a":"b"}},"spec":{"podGroupTemplates":[{"name":"a","schedulingPolicy":{"gang":{"minCount":2}},"disruptionMode":{"all":{}},"priorityClassName":"p"}]}}`)),
	answer.Refuse("API-080", "another mode", answer.Patch(workloads, "templated", `{"spec":{"podGroupTemplates":[{"name":"a","schedulingPolicy":{"gang":{"minCount":2}},"disruptionMode":{"single":{}},"priorityClassName":"p"}]}}`), templates+"[0].disruptionMode"),
	answer.Refuse("API-080", "no mode", answer.Patch(workloads, "templated", `{"spec":{"podGroupTemplates":[{"name":"a","schedulingPolicy":{"gang":{"minCount":2}},"priorityClassName":"p"}]}}`), templates+"[0].disruptionMode"),
	answer.Refuse("API-080", "another class", answer.Patch(workloads, "templated", `{"spec":{"podGroupTemplates":[{"name":"a","schedulingPolicy":{"gang":{"minCount":2}},"disruptionMode":{"all":{}},"priorityClassName":"q"}]}}`), templates+"[0].priorityClassName"),
	answer.Refuse("API-080", "another policy", answer.Patch(workloads, "templated", `{"spec":{"podGroupTemplates":[{"name":"a","schedulingPolicy":{"basic":{}},"disruptionMode":{"all":{}},"priorityClassName":"p"}]}}`), templates+"[0].schedulingPolicy"),

	answer.Given("API-068", "created", workload("tree", `{"compositePodGroupTemplates":[{"name":"c","schedulingPolicy":{"gang":{"minGroupCount":1}},"podGroupTemplates":[{"name":"a","schedulingPolicy":{"gang":{"minCount":2}}}]}]}`)),
	answer.Accept("API-068", "another label", answer.Patch(workloads, "tree", `{"metadata":{"labels":{"a":"b"}}}`)),
	answer.Refuse("API-068", "one more composite", answer.Patch(workloads, "tree", `{"spec":{"compositePodGroupTemplates":[{"name":"c","schedulingPolicy":{"gang":{"minGroupCount":1}},"podGroupTemplates":[{"name":"a","schedulingPolicy":{"gang":{"minCount":2}}}]},{"name":"d","schedulingPolicy":{"basic":{}},"podGroupTemplates":[{"name":"b","schedulingPolicy":{"gang":{"minCount":2}}}]}]}}`), "spec.compositePodGroupTemplates"),
	answer.Refuse("API-068", "another minGroupCount", answer.Patch(workloads, "tree", `{"spec":{"compositePodGroupTemplates":[{"name":"c","schedulingPolicy":{"gang":{"minGroupCount":2}},"podGroupTemplates":[{"name":"a","schedulingPolicy":{"gang":{"minCount":2}}}]}]}}`), "spec.compositePodGroupTemplates"),

	answer.Given("API-047", "with a reference", workload("referring", `{"controllerRef":{"apiGroup":"batch","kind":"Job","name":"j"},"podGroupTemplates":[{"name":"a","schedulingPolicy":{"basic":{}}}]}`)),
	answer.Given("API-047", "without", workload("alone", `{"podGroupTemplates":[{"name":"a","schedulingPolicy":{"basic":{}}}]}`)),
	answer.Accept("API-047", "the same again", answer.Patch(workloads, "referring", `{"metadata":{"labels":{"a":"b"}},"spec":{"controllerRef":{"name":"j"}}}`)),
	answer.Refuse("API-047", "changed", answer.Patch(workloads, "referring", `{"spec":{"controllerRef":{"name":"k"}}}`), "spec.controllerRef"),
	answer.Refuse("API-047", "taken away", answer.Patch(workloads, "referring", `{"spec":{"controllerRef":null}}`), "spec.controllerRef"),
	answer.Refuse("API-047", "set", answer.Patch(workloads, "alone", `{"spec":{"controllerRef":{"apiGroup":"batch","kind":"Job","name":"j"}}}`), "spec.controllerRef"),
}

// count is the minCount of the i-th template of a Workload; -1 where there is none.
func count(o answer.Object, i int) int {
	list, _ := answer.Field(o, templates)
	items, _ := list.([]any)
	if i >= len(items) {
		return -1
	}
	t, _ := items[i].(answer.Object)
	n, _ := answer.Field(t, "schedulingPolicy.gang.minCount")
	f, ok := n.(float64)
	if !ok {
		return -1
	}
	return int(f)
}
