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

	answer.Show("API-092", "a composite that omits it", rankedComposite(nothing), "PreemptLowerPriority", answer.Equals(preemption, "PreemptLowerPriority")),

	answer.Given("API-093", "a composite that spells Never out", rankedComposite(neverClass("Never"))),
	answer.Show("API-093", "a composite that leaves it to the class", rankedComposite(neverClass("")), "Never", answer.Equals(preemption, "Never")),

	answer.Accept("API-094", "a composite with what the class says", rankedComposite(neverClass("Never"))),
	answer.RefuseAs("API-094", "a composite with the contrary", rankedComposite(neverClass("PreemptLowerPriority")), "Forbidden", "Invalid"),
}

// rankedComposite is ranked of a CompositePodGroup.
func rankedComposite(more func(env suites.Env) answer.Object) answer.Request {
	return answer.CreateIn(composites, func(env suites.Env) answer.Object {
		o := cpg(`{` + made + `,"schedulingPolicy":{"basic":{}}}`)
		for k, v := range more(env) {
			o["spec"].(answer.Object)[k] = v
		}
		return o
	})
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
