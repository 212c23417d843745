package basic

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "basic-members-as-they-come",
		Profile:      "basic",
		Summary:      "One member of a basic group is created, and the others once it is bound.",
		Requirements: []string{"BASIC-001"},
		Needs:        needs(3),
		Weight:       2,
		Drive:        driveAsTheyCome,
		Judge:        judgeAsTheyCome,
	})
}

func driveAsTheyCome(ctx context.Context, env suites.Env) error {
	n, err := slots(env, 2)
	if err != nil {
		return err
	}
	pods := members(n)
	if err := kit.CreateGang(ctx, env, basicGroup(), pods[0]); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "first bound", group, 1)
	if err := env.CreatePods(ctx, pods[1:]...); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "all bound", group, n)
	return ctx.Err()
}

func judgeAsTheyCome(v *history.View) []suites.Finding {
	all := v.Members(group)
	first := kit.For(v, "BASIC-001")
	first.Fits(first.Mark("first bound"), all)

	rest := kit.For(v, "BASIC-001")
	rest.Premise(len(all) > 1, nil, "further members came later")
	rest.Fits(rest.Mark("all bound"), all)
	return []suites.Finding{
		first.Counts("first bound", group, 1),
		rest.Counts("all bound", group, len(all)),
	}
}
