package api

import (
	"fmt"
	"strings"

	"muster/suites"
	"muster/suites/kit/answer"
)

func init() {
	suites.Register(table("api-workload-templates", "Workloads with good and bad templates are created.", suites.Needs{}, workloadTemplates))
}

const templates = "spec.podGroupTemplates"

// leaf is a template of a PodGroup, and leaves are n of them.
func leaf(name string) string {
	return fmt.Sprintf(`{"name":%q,"schedulingPolicy":{"gang":{"minCount":1}}}`, name)
}

func leaves(n int) string {
	var all []string
	for i := range n {
		all = append(all, leaf(fmt.Sprintf("t%d", i)))
	}
	return strings.Join(all, ",")
}

// flat is a Workload with these templates of PodGroups; deep is one with a chain of composites, levels high, above one.
func flat(templates string) answer.Object { return wl(`{"podGroupTemplates":[` + templates + `]}`) }

func deep(levels int) answer.Object {
	tree := `"podGroupTemplates":[` + leaf("leaf") + `]`
	for i := range levels {
		tree = fmt.Sprintf(`"compositePodGroupTemplates":[{"name":"level-%d","schedulingPolicy":{"basic":{}},%s}]`, i, tree)
	}
	return wl(`{` + tree + `}`)
}

var workloadTemplates = []answer.Row{
	answer.Accept("API-040", "pod groups", answer.Create(workloads, flat(leaf("a")))),
	answer.Accept("API-040", "composites", answer.Create(workloads, deep(1))),
	answer.Refuse("API-040", "neither", answer.Create(workloads, wl(`{}`)), "spec"),
	answer.Refuse("API-040", "an empty list", answer.Create(workloads, wl(`{"podGroupTemplates":[]}`)), "spec"),
	answer.Refuse("API-040", "both", answer.Create(workloads, wl(`{"podGroupTemplates":[`+leaf("a")+`],"compositePodGroupTemplates":[{"name":"c","schedulingPolicy":{"basic":{}},"podGroupTemplates":[`+leaf("b")+`]}]}`)), "spec"),

	answer.Accept("API-066", "eight", answer.Create(workloads, flat(leaves(8)))),
	answer.Refuse("API-066", "nine", answer.Create(workloads, flat(leaves(9))), templates),

	answer.Accept("API-041", "two names", answer.Create(workloads, flat(leaf("a")+","+leaf("b")))),
	answer.Refuse("API-041", "one name twice", answer.Create(workloads, flat(leaf("a")+","+leaf("a"))), templates),

	answer.Accept("API-067", "a label", answer.Create(workloads, flat(leaf("a-1")))),
	answer.Refuse("API-067", "a dot", answer.Create(workloads, flat(leaf("a.1"))), templates+"[0].name"),
	answer.Refuse("API-067", "empty", answer.Create(workloads, flat(leaf(""))), templates+"[0].name"),
	answer.Refuse("API-067", "64 letters", answer.Create(workloads, flat(leaf(strings.Repeat("a", 64)))), templates+"[0].name"),

	answer.Accept("API-042", "three composites above a group", answer.Create(workloads, deep(3))),
	answer.Refuse("API-042", "four composites above a group", answer.Create(workloads, deep(4)), "spec.compositePodGroupTemplates"),

	answer.Accept("API-043", "a child", answer.Create(workloads, deep(1))),
	answer.Refuse("API-043", "no child", answer.Create(workloads, wl(`{"compositePodGroupTemplates":[{"name":"c","schedulingPolicy":{"basic":{}}}]}`)), "spec.compositePodGroupTemplates"),

	answer.Accept("API-044", "one class", answer.Create(workloads, flat(`{"name":"a","schedulingPolicy":{"basic":{}},"priorityClassName":"p"},{"name":"b","schedulingPolicy":{"basic":{}},"priorityClassName":"p"}`))),
	answer.Refuse("API-044", "two classes", answer.Create(workloads, flat(`{"name":"a","schedulingPolicy":{"basic":{}},"priorityClassName":"p"},{"name":"b","schedulingPolicy":{"basic":{}},"priorityClassName":"q"}`)), "spec"),
	answer.Refuse("API-044", "a class and none", answer.Create(workloads, flat(`{"name":"a","schedulingPolicy":{"basic":{}},"priorityClassName":"p"},{"name":"b","schedulingPolicy":{"basic":{}}}`)), "spec"),

	answer.Accept("API-027", "the largest", answer.Create(workloads, flat(`{"name":"a","schedulingPolicy":{"basic":{}},"priority":1000000000}`))),
	answer.Accept("API-027", "negative", answer.Create(workloads, flat(`{"name":"a","schedulingPolicy":{"basic":{}},"priority":-5}`))),
	answer.Refuse("API-027", "one more", answer.Create(workloads, flat(`{"name":"a","schedulingPolicy":{"basic":{}},"priority":1000000001}`)), templates+"[0].priority"),

	answer.Accept("API-069", "names of a path", answer.Create(workloads, wl(`{"controllerRef":{"apiGroup":"batch","kind":"Job","name":"a.b"},"podGroupTemplates":[`+leaf("a")+`]}`))),
	answer.Accept("API-069", "the core group", answer.Create(workloads, wl(`{"controllerRef":{"kind":"ConfigMap","name":"c"},"podGroupTemplates":[`+leaf("a")+`]}`))),
	answer.Refuse("API-069", "a kind with a slash", answer.Create(workloads, wl(`{"controllerRef":{"apiGroup":"batch","kind":"a/b","name":"j"},"podGroupTemplates":[`+leaf("a")+`]}`)), "spec.controllerRef.kind"),
	answer.Refuse("API-069", "a name with a slash", answer.Create(workloads, wl(`{"controllerRef":{"apiGroup":"batch","kind":"Job","name":"a/b"},"podGroupTemplates":[`+leaf("a")+`]}`)), "spec.controllerRef.name"),
	answer.Refuse("API-069", "no name", answer.Create(workloads, wl(`{"controllerRef":{"apiGroup":"batch","kind":"Job"},"podGroupTemplates":[`+leaf("a")+`]}`)), "spec.controllerRef.name"),

	answer.Accept("API-081", "one mode", answer.Create(workloads, flat(`{"name":"a","schedulingPolicy":{"basic":{}},"disruptionMode":{"all":{}}}`))),
	answer.Refuse("API-081", "both modes", answer.Create(workloads, flat(`{"name":"a","schedulingPolicy":{"basic":{}},"disruptionMode":{"all":{},"single":{}}}`)), templates+"[0].disruptionMode"),
	answer.Refuse("API-081", "both policies", answer.Create(workloads, flat(`{"name":"a","schedulingPolicy":{"basic":{},"gang":{"minCount":1}}}`)), templates+"[0].schedulingPolicy"),
	answer.Refuse("API-081", "no policy", answer.Create(workloads, flat(`{"name":"a","schedulingPolicy":{}}`)), templates+"[0].schedulingPolicy"),
	answer.Refuse("API-081", "minCount 0", answer.Create(workloads, flat(`{"name":"a","schedulingPolicy":{"gang":{"minCount":0}}}`)), templates+"[0].schedulingPolicy.gang.minCount"),
}
