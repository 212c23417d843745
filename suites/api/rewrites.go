package api

import (
	"slices"
	"strings"

	"muster/fakes/faults"
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
	// Their scenarios restart the API server.
	restarted := rewrite.Table("api", slices.Concat(versionOn, versionOff, versionBack))
	later := slices.Concat(storedKept, membershipKept) // and not what is refused, which API-006 and API-012 are about
	var ids []string
	for _, id := range answer.IDs(later) {
		switch {
		case len(answer.Crucial(later, id)) == 0:
		case strings.HasPrefix(id, "JOB-"):
			restarted = append(restarted, rewrite.Together("job", later, id))
		default:
			ids = append(ids, id)
		}
	}
	out = append(out, append(restarted, rewrite.Together("api", later, ids...))...)
	for i := range out {
		if strings.HasPrefix(out[i].Kills[0], "JOB-") { // asked for beside the other gates, since a cluster costs more than a row
			out[i].Profile = "job"
		}
	}
	return append(out, stories()...)
}

// stories are the rewrites of what is no table.
func stories() []rewrite.Rewrite {
	gone := func(o rewrite.Object) bool {
		return rewrite.Named(kept...)(o) && rewrite.At(o, "metadata", "deletionTimestamp") != nil
	}
	old := func(o rewrite.Object) bool {
		return o["kind"] == "PodGroup" && o["apiVersion"] == alpha
	}
	early := rewrite.Hide(gone)
	var watched []faults.Rule // the answer to the deletion itself is as it is, or nobody could say that it was accepted
	for _, verb := range []string{"list", "watch"} {
		watched = append(watched, faults.Rule{Name: rewrite.Prefix + "API-037 " + verb, Verb: verb, Resource: "podgroups", Fault: faults.Fault{Lens: &early}})
	}
	return []rewrite.Rewrite{
		{
			Name: rewrite.Prefix + "API-037", Profile: "api", Kills: []string{"API-037"},
			About: "A deleted group is gone although its member has not ended.",
			Rules: func() []faults.Rule { return watched },
		},
		rewrite.Seen("API-038", "api", "A deleted group without members stays.",
			map[string]faults.Lens{"podgroups": {Keep: rewrite.Named("empty")}}),
		rewrite.Seen("API-056", "api", "The older version of a PodGroup loses its disruption mode.",
			map[string]faults.Lens{"podgroups": rewrite.Change(old, nil, "spec", "disruptionMode")}),
	}
}
