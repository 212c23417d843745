package api

import (
	"fmt"
	"strings"

	"muster/suites"
	"muster/suites/kit/answer"
)

func init() {
	suites.Register(table("api-group-printed", "Groups are asked for as the tables that an API server prints: without a condition, with each status of one, and being disrupted.", suites.Needs{}, printedRows))
}

// printedRows are about groups whose conditions the driver writes, so that no scheduler has a say: they have no pods.
var printedRows = []answer.Row{
	answer.Given("API-050", "a basic group", group("plain", `{"schedulingPolicy":{"basic":{}}}`)),
	answer.Observe("API-050", "without a condition", answer.Printed(podGroups, "plain"), printed),
	answer.Given("API-050", "a gang of a workload", group("told", `{`+made+`,"schedulingPolicy":{"gang":{"minCount":2}}}`)),
	answer.Given("API-050", "not scheduled", answer.Patch(podGroups, "told", conditions("PodGroupInitiallyScheduled", "False", "Unschedulable"), "status")),
	answer.Observe("API-050", "with the condition False", answer.Printed(podGroups, "told"), printed),
	answer.Given("API-050", "scheduled", answer.Patch(podGroups, "told", conditions("PodGroupInitiallyScheduled", "True", "Scheduled"), "status")),
	answer.Observe("API-050", "with the condition True", answer.Printed(podGroups, "told"), printed),
	answer.Given("API-050", "disrupted", answer.Patch(podGroups, "told", conditions("DisruptionTarget", "True", "PreemptionByScheduler"), "status")),
	answer.Observe("API-050", "with DisruptionTarget", answer.Printed(podGroups, "told"), printed),
}

// conditions is a status with one condition.
func conditions(kind, status, reason string) string {
	return fmt.Sprintf(`{"status":{"conditions":[{"type":%q,"status":%q,"reason":%q,"message":"","lastTransitionTime":"2026-03-01T12:00:00Z"}]}}`, kind, status, reason)
}

// printed is the row of a table in words, column by column, but for how old the object is.
func printed(refused string, o answer.Object) string {
	columns, _ := o["columnDefinitions"].([]any)
	rows, _ := o["rows"].([]any)
	if o["kind"] != "Table" || len(rows) != 1 {
		if o == nil {
			return refused
		}
		return fmt.Sprintf("a %v of %d rows", o["kind"], len(rows))
	}
	row, _ := rows[0].(answer.Object)
	cells, _ := row["cells"].([]any)
	var out []string
	for i, c := range columns {
		column, _ := c.(answer.Object)
		switch name := column["name"]; {
		case name == "Age" || i >= len(cells):
			out = append(out, fmt.Sprint(name))
		default:
			out = append(out, fmt.Sprintf("%v %v", name, cells[i]))
		}
	}
	return strings.Join(out, ", ")
}
