package api

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit/answer"
)

func init() {
	suites.Register(suites.Scenario{
		Name: "api-preemption-policy", Profile: "api",
		Summary:      "Groups say whether they preempt, or leave it to their class, which says Never.",
		Requirements: answer.IDs(preemptionRows),
		Weight:       1,
		Drive:        drivePreemptionPolicy,
		Judge:        func(v *history.View) []suites.Finding { return answer.Judge(v, preemptionRows) },
	})
}

const preemption = "spec.preemptionPolicy"

// neverClass is a spec's class whose preemption policy is Never, with the group's own (none where empty).
func neverClass(own string) func(env suites.Env) answer.Object {
	return func(env suites.Env) answer.Object {
		o := answer.Object{"priorityClassName": className(env, "never")}
		if own != "" {
			o["preemptionPolicy"] = own
		}
		return o
	}
}

func own(policy string) func(suites.Env) answer.Object {
	return func(suites.Env) answer.Object { return answer.Object{"preemptionPolicy": policy} }
}

func nothing(suites.Env) answer.Object { return nil }

var makeNeverClass = class("never", answer.Object{"value": int64(100), "preemptionPolicy": "Never"})

var preemptionRows = []answer.Row{
	answer.Show("API-033", "omitted", ranked(nothing), "PreemptLowerPriority", answer.Equals(preemption, "PreemptLowerPriority")),

	answer.Given("API-064", "Never, spelled out", ranked(neverClass("Never"))),
	answer.Show("API-064", "left to the class", ranked(neverClass("")), "Never", answer.Equals(preemption, "Never")),

	answer.Accept("API-034", "what the class says", ranked(neverClass("Never"))),
	answer.RefuseAs("API-034", "the contrary", ranked(neverClass("PreemptLowerPriority")), "Forbidden", "Invalid"),

	answer.Show("API-065", "PreemptLowerPriority", ranked(own("PreemptLowerPriority")), "it", answer.Equals(preemption, "PreemptLowerPriority")),
	answer.Refuse("API-065", "a word of one's own", answer.Create(workloads, flat(`{"name":"a","schedulingPolicy":{"basic":{}},"preemptionPolicy":"Sometimes"}`)), templates+"[0].preemptionPolicy"),
	answer.Accept("API-065", "Never in a template", answer.Create(workloads, flat(`{"name":"a","schedulingPolicy":{"basic":{}},"preemptionPolicy":"Never"}`))),
}

func drivePreemptionPolicy(ctx context.Context, env suites.Env) error {
	a := makeNeverClass(env)
	if _, err := env.Try(ctx, "make the class", a); err != nil {
		return err
	}
	if err := answer.Insist(ctx, env, "the class is known", ranked(neverClass("Never"))); err != nil {
		return err
	}
	return answer.Drive(ctx, env, preemptionRows)
}
