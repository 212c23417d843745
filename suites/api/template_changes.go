package api

import (
	"context"
	"time"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit/answer"
)

func init() {
	suites.Register(suites.Scenario{
		Name: "api-template-changes-later", Profile: "api",
		Summary:      "The template of a PodGroup is changed after the group was made, and then its Workload is deleted.",
		Requirements: answer.IDs(templateBefore, templateAfter),
		Weight:       4,
		Drive:        driveTemplateChanges,
		Judge: func(v *history.View) []suites.Finding {
			return answer.Judge(v, append(append([]answer.Row{}, templateBefore...), templateAfter...))
		},
	})
}

// glance is how long the group is watched for somebody who would change or delete it: a controller's reaction takes
// milliseconds.
const glance = 3 * time.Second

var templateBefore = []answer.Row{
	answer.Given("API-048", "the workload", workload("source", `{"podGroupTemplates":[{"name":"t","schedulingPolicy":{"gang":{"minCount":2}}}]}`)),
	answer.Given("API-048", "the group", group("copy", `{"schedulingPolicy":{"gang":{"minCount":2}},"workloadRef":{"workloadName":"source","templateName":"t"}}`)),
	answer.Given("API-048", "the template changes", answer.Patch(workloads, "source", `{"spec":{"podGroupTemplates":[{"name":"t","schedulingPolicy":{"gang":{"minCount":5}}}]}}`)),
	answer.Given("API-049", "the workload", workload("short-lived", `{"podGroupTemplates":[{"name":"t","schedulingPolicy":{"gang":{"minCount":2}}}]}`)),
	answer.Given("API-049", "the group", group("survivor", `{"schedulingPolicy":{"gang":{"minCount":2}},"workloadRef":{"workloadName":"short-lived","templateName":"t"}}`)),
	answer.Given("API-049", "the workload is deleted", answer.Delete(workloads, "short-lived")),
}

var templateAfter = []answer.Row{
	answer.Show("API-048", "the group later", answer.Read(podGroups, "copy"), "its own minCount", answer.Equals(policy+".gang.minCount", 2)),
	answer.Show("API-049", "the group later", answer.Read(podGroups, "survivor"), "that nobody deletes it", answer.Lacks("metadata.deletionTimestamp")),
}

func driveTemplateChanges(ctx context.Context, env suites.Env) error {
	if err := answer.Drive(ctx, env, templateBefore); err != nil {
		return err
	}
	env.Hold(ctx, "somebody changes the groups", glance)
	return answer.Drive(ctx, env, templateAfter)
}
