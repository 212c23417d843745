package api

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit/answer"
)

func init() {
	suites.Register(suites.Scenario{
		Name: "api-priority", Profile: "api",
		Summary:      "Groups name priority classes, none, unknown ones, and priorities that are not theirs.",
		Requirements: answer.IDs(priorityRows),
		Needs:        suites.Needs{PriorityClasses: map[string]int32{"high": highPriority}},
		Weight:       1,
		Drive:        drivePriority,
		Judge:        func(v *history.View) []suites.Finding { return answer.Judge(v, priorityRows) },
	})
}

// highPriority is the value of the class the rows use.
const highPriority = 4200

// ranked is a PodGroup whose spec also holds what is given, with the class's real name in it.
func ranked(more func(env suites.Env) answer.Object) answer.Request {
	return answer.CreateIn(podGroups, func(env suites.Env) answer.Object {
		o := pg(`{"schedulingPolicy":{"basic":{}}}`)
		for k, v := range more(env) {
			o["spec"].(answer.Object)[k] = v
		}
		return o
	})
}

func highClass(env suites.Env) answer.Object {
	return answer.Object{"priorityClassName": env.PriorityClass("high")}
}

func highComposite(env suites.Env) answer.Object {
	o := cpg(`{` + made + `,"schedulingPolicy":{"basic":{}}}`)
	o["spec"].(answer.Object)["priorityClassName"] = env.PriorityClass("high")
	return o
}

var priorityRows = []answer.Row{
	answer.Show("API-028", "a class", ranked(highClass), "the class's value", answer.Equals("spec.priority", highPriority)),
	answer.Show("API-029", "no class", ranked(func(suites.Env) answer.Object { return nil }), "zero", answer.Equals("spec.priority", 0)),

	answer.Accept("API-030", "a known class", ranked(highClass)),
	answer.RefuseAs("API-030", "an unknown class", ranked(func(suites.Env) answer.Object { return answer.Object{"priorityClassName": "nobody-knows-this"} }), "Forbidden", "Invalid"),

	answer.Accept("API-031", "the class's own value", ranked(func(env suites.Env) answer.Object {
		return answer.Object{"priorityClassName": env.PriorityClass("high"), "priority": int64(highPriority)}
	})),
	answer.RefuseAs("API-031", "another value", ranked(func(env suites.Env) answer.Object {
		return answer.Object{"priorityClassName": env.PriorityClass("high"), "priority": int64(highPriority + 1)}
	}), "Forbidden", "Invalid"),
	answer.RefuseAs("API-031", "a value alone", ranked(func(suites.Env) answer.Object { return answer.Object{"priority": int64(100)} }), "Forbidden", "Invalid"),

	answer.Observe("API-032", "system-node-critical", ranked(func(suites.Env) answer.Object {
		return answer.Object{"priorityClassName": "system-node-critical"}
	}), nil),

	answer.Show("API-054", "a composite with a class", answer.CreateIn(composites, highComposite), "the class's value", answer.Equals("spec.priority", highPriority)),
	answer.RefuseAs("API-054", "a composite with a value", answer.Create(composites, cpg(`{`+made+`,"schedulingPolicy":{"basic":{}},"priority":100}`)), "Forbidden", "Invalid"),
}

func drivePriority(ctx context.Context, env suites.Env) error {
	if err := answer.Insist(ctx, env, "the class is known", ranked(highClass)); err != nil {
		return err
	}
	return answer.Drive(ctx, env, priorityRows)
}
