package job

import (
	"context"
	"fmt"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit/answer"
)

func init() {
	suites.Register(suites.Scenario{
		Name: "job-fields", Profile: "job",
		Summary:      "Suspended Jobs with good and bad scheduling configurations are created and changed.",
		Requirements: answer.IDs(fields),
		Weight:       2,
		Drive:        func(ctx context.Context, env suites.Env) error { return answer.Drive(ctx, env, fields) },
		Judge:        func(v *history.View) []suites.Finding { return answer.Judge(v, fields) },
	})
}

const (
	scheduling = "spec.scheduling"
	minCount   = scheduling + ".schedulingPolicy.gang.minCount"
)

// asleep is a suspended Job of parallelism 3 with this scheduling configuration (empty: none).
func asleep(name, config string) answer.Request {
	if config != "" {
		config = `"scheduling":` + config + `,`
	}
	o := spec{name: name, parallelism: 3, fields: `"suspend":true,` + config}.object()
	if name == "" {
		o["metadata"] = answer.Object{}
	}
	return answer.Create(jobs, o)
}

func change(name, config string) answer.Request {
	return answer.Patch(jobs, name, fmt.Sprintf(`{"spec":{"scheduling":%s}}`, config))
}

var fields = []answer.Row{
	answer.Accept("JOB-007", "as many as run", asleep("full", `{"schedulingPolicy":{"gang":{"minCount":3}}}`)),
	answer.Refuse("JOB-007", "more than run", asleep("", `{"schedulingPolicy":{"gang":{"minCount":4}}}`), minCount),
	answer.Refuse("JOB-007", "more later", change("full", `{"schedulingPolicy":{"gang":{"minCount":4}}}`), minCount),
	answer.Refuse("JOB-007", "fewer run later", answer.Patch(jobs, "full", `{"spec":{"parallelism":2}}`), minCount, "spec.parallelism"),

	answer.Given("JOB-010", "a gang", asleep("fixed", `{"schedulingPolicy":{"gang":{"minCount":2}},"disruptionMode":{"all":{}}}`)),
	answer.Given("JOB-010", "nothing said", asleep("silent", "")),
	answer.Accept("JOB-010", "another minCount", change("fixed", `{"schedulingPolicy":{"gang":{"minCount":3}}}`)),
	answer.Refuse("JOB-010", "set later", change("silent", `{"schedulingPolicy":{"gang":{"minCount":2}}}`), scheduling),
	answer.Refuse("JOB-010", "taken away", change("fixed", `null`), scheduling),
	answer.Refuse("JOB-010", "another policy", change("fixed", `{"schedulingPolicy":{"gang":null,"basic":{}}}`), scheduling),
	answer.Refuse("JOB-010", "another mode", change("fixed", `{"disruptionMode":{"all":null,"single":{}}}`), scheduling+".disruptionMode"),
	answer.Refuse("JOB-010", "no mode", change("fixed", `{"disruptionMode":null}`), scheduling+".disruptionMode"),

	answer.Accept("JOB-011", "basic and single", asleep("", `{"schedulingPolicy":{"basic":{}},"disruptionMode":{"single":{}}}`)),
	answer.Refuse("JOB-011", "basic and all", asleep("", `{"schedulingPolicy":{"basic":{}},"disruptionMode":{"all":{}}}`), scheduling+".disruptionMode"),

	answer.Accept("JOB-037", "basic", asleep("", `{"schedulingPolicy":{"basic":{}}}`)),
	answer.Accept("JOB-037", "gang", asleep("", `{"schedulingPolicy":{"gang":{}}}`)),
	answer.Refuse("JOB-037", "both", asleep("", `{"schedulingPolicy":{"basic":{},"gang":{"minCount":1}}}`), scheduling+".schedulingPolicy"),
	answer.Refuse("JOB-037", "neither", asleep("", `{"schedulingPolicy":{}}`), scheduling+".schedulingPolicy"),

	answer.Accept("JOB-038", "four claims", asleep("", `{"resourceClaims":[{"name":"a","resourceClaimName":"x"},{"name":"b","resourceClaimName":"x"},{"name":"c","resourceClaimName":"x"},{"name":"d","resourceClaimName":"x"}]}`)),
	answer.Refuse("JOB-038", "five claims", asleep("", `{"resourceClaims":[{"name":"a","resourceClaimName":"x"},{"name":"b","resourceClaimName":"x"},{"name":"c","resourceClaimName":"x"},{"name":"d","resourceClaimName":"x"},{"name":"e","resourceClaimName":"x"}]}`), scheduling+".resourceClaims"),
}
