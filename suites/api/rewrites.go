package api

import (
	"slices"

	"muster/suites/kit/answer"
	"muster/suites/prove/rewrite"
)

// Rewrites are the control planes that are wrong on purpose about what this package asks of them: one for each requirement
// of a table, and those of the stories.
func Rewrites() []rewrite.Rewrite {
	var out []rewrite.Rewrite
	for _, rows := range [][]answer.Row{
		podGroupFields, podGroupUpdates, claims, workloadTemplates, workloadUpdates, compositeGroups, priorityRows,
		preemptionRows, membership, statusRows, gatesOff, workloadOff, slices.Concat(templateBefore, templateAfter),
	} {
		out = append(out, rewrite.Table("api", rows)...)
	}
	for i := range out {
		if out[i].Kills[0] == "JOB-012" { // asked for beside the other gates, since a cluster costs more than a row
			out[i].Profile = "job"
		}
	}
	return out
}
