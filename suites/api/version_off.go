package api

import (
	"context"
	"slices"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit/answer"
)

func init() {
	suites.Register(suites.Scenario{
		Name: "api-version-off", Profile: "api",
		Summary:      "The API server is restarted without scheduling.k8s.io/v1beta1 in its runtime config, and with it again.",
		Requirements: answer.IDs(versionOn),
		Needs:        suites.Needs{NoScheduler: true, Capabilities: []string{suites.RestartComponents}},
		Isolation:    suites.OwnCluster,
		Weight:       30,
		Drive:        driveVersionOff,
		Judge: func(v *history.View) []suites.Finding {
			return answer.Judge(v, slices.Concat(versionOn, versionOff, versionBack))
		},
	})
}

// While the API server is away the watches of the record are too, so there is no pod here that anything else could be
// judged by, and the answers alone decide. The job shows that the server takes requests at all; it is suspended.
var (
	versionOn = []answer.Row{
		answer.Given("API-002", "a group while it is on", group("kept", `{"schedulingPolicy":{"gang":{"minCount":2}}}`)),
		answer.Given("API-002", "a workload while it is on", workload("kept", `{"podGroupTemplates":[{"name":"t","schedulingPolicy":{"gang":{"minCount":3}}}]}`)),
	}
	versionOff = []answer.Row{
		answer.Accept("API-002", "a job", job("usual", "")),
		answer.RefuseAs("API-002", "a group", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{}}}`)), "NotFound"),
		answer.RefuseAs("API-002", "a workload", answer.Create(workloads, wl(`{"podGroupTemplates":[{"name":"t","schedulingPolicy":{"basic":{}}}]}`)), "NotFound"),
		answer.RefuseAs("API-002", "the group from before", answer.Read(podGroups, "kept"), "NotFound"),
	}
	versionBack = []answer.Row{
		answer.Show("API-002", "the group when it is on again", answer.Read(podGroups, "kept"), "its minCount", answer.Equals(policy+".gang.minCount", 2)),
		answer.Accept("API-002", "the workload when it is on again", answer.Read(workloads, "kept")),
		answer.Accept("API-002", "another group when it is on again", answer.Create(podGroups, pg(`{"schedulingPolicy":{"basic":{}}}`))),
	}
)

func driveVersionOff(ctx context.Context, env suites.Env) error {
	components, err := suites.ComponentsOf(env)
	if err != nil {
		return err
	}
	if err := answer.Drive(ctx, env, versionOn); err != nil {
		return err
	}
	for _, next := range []struct {
		flags suites.Flags
		rows  []answer.Row
	}{
		{suites.Flags{RuntimeConfig: map[string]bool{beta: false}}, versionOff},
		{suites.Flags{}, versionBack},
	} {
		if err := askAnother(ctx, env, components, next.flags, next.rows); err != nil {
			return err
		}
	}
	return nil
}

// askAnother restarts the API server with these flags and asks it the rows.
func askAnother(ctx context.Context, env suites.Env, components suites.Components, flags suites.Flags, rows []answer.Row) error {
	if err := components.StopComponent(ctx, suites.APIServer); err != nil {
		return err
	}
	if err := components.StartComponent(ctx, suites.APIServer, flags); err != nil {
		return err
	}
	return answer.Drive(ctx, env, rows)
}
