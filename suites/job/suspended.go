package job

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name: "job-suspended", Profile: "job",
		Summary:      "A gang Job is created suspended, resumed, suspended and resumed again.",
		Requirements: []string{"JOB-017", "JOB-018"},
		Weight:       6,
		Drive:        driveSuspended,
		Judge:        judgeSuspended,
	})
}

var sleeper = spec{name: "sleeper", parallelism: 2, fields: `"suspend":true,"scheduling":{"schedulingPolicy":{"gang":{}}},`}

const (
	suspend = `{"spec":{"suspend":true}}`
	resume  = `{"spec":{"suspend":false}}`
)

func driveSuspended(ctx context.Context, env suites.Env) error {
	if err := create(ctx, env, sleeper); err != nil {
		return err
	}
	env.Await(ctx, "a group comes", soon, func(v *history.View) bool { return len(v.Gangs) > 0 })
	env.Hold(ctx, "no pod comes", glance)
	env.Mark(ctx, "asleep")
	if err := patch(ctx, env, sleeper.name, resume); err != nil {
		return err
	}
	if err := inspect(ctx, env, sleeper); err != nil {
		return err
	}
	env.Mark(ctx, "awake")
	if err := patch(ctx, env, sleeper.name, suspend); err != nil {
		return err
	}
	env.Await(ctx, "the pods are gone", soon, func(v *history.View) bool {
		return len(podsOf(v, sleeper.name)) > 0 && len(alive(podsOf(v, sleeper.name))) == 0
	})
	env.Mark(ctx, "asleep again")
	if err := patch(ctx, env, sleeper.name, resume); err != nil {
		return err
	}
	group := ""
	env.Await(ctx, "the pods come back", soon, func(v *history.View) bool {
		for _, p := range alive(podsOf(v, sleeper.name)) {
			group = p.Gang
		}
		return started(sleeper.name, sleeper.parallelism)(v)
	})
	if group != "" {
		if err := inspectGroup(ctx, env, "resumed "+sleeper.name, group); err != nil {
			return err
		}
	}
	env.Mark(ctx, "awake again")
	return ctx.Err()
}

func judgeSuspended(v *history.View) []suites.Finding {
	first := kit.For(v, "JOB-017")
	s := look(v, sleeper.name)
	first.Premise(s.uid != "", nil, "the job was created")
	asleep := first.Mark("asleep")
	groups, pods := 0, 0
	for _, g := range v.Gangs {
		if !g.Created.After(asleep) {
			groups++
		}
	}
	for _, p := range s.pods {
		if !p.Created.After(asleep) {
			pods++
		}
	}

	again, _ := grouped(v, "JOB-018", sleeper.name, sleeper.parallelism)
	later := look(v, "resumed "+sleeper.name)
	before, after := again.Mark("asleep again"), again.Mark("awake again")
	var back []*history.Pod
	inGroup := 0
	for _, p := range s.pods {
		if p.Created.After(before) && !p.Created.After(after) {
			back = append(back, p)
			if p.Gang != "" && p.Gang == text(later.group, "metadata.name") {
				inGroup++
			}
		}
	}
	again.Premise(len(back) >= sleeper.parallelism, nil, "the pods came back (%d)", len(back))
	same := text(later.workload, "metadata.uid") != "" && text(later.workload, "metadata.uid") == text(s.workload, "metadata.uid")
	return []suites.Finding{
		first.Holds(groups == 1 && pods == 0, "a job that has not started has %d groups and %d pods; expected one and none", groups, pods),
		again.Holds(inGroup == len(back) && same, "%d of %d pods of the resumed job are in a group, its workload is the one of before: %t", inGroup, len(back), same),
	}
}
