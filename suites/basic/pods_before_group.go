package basic

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "basic-pods-before-group",
		Profile:      "basic",
		Summary:      "Pods name a basic group that does not exist; later the group is created.",
		Requirements: []string{"BASIC-002"},
		Needs:        needs(2),
		Weight:       20,
		Drive:        drivePodsBeforeGroup,
		Judge:        judgePodsBeforeGroup,
	})
}

func drivePodsBeforeGroup(ctx context.Context, env suites.Env) error {
	n, err := slots(env, 2)
	if err != nil {
		return err
	}
	if err := env.CreatePods(ctx, members(n)...); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "no group", "watched", n); err != nil {
		return err
	}
	if err := env.CreateGang(ctx, basicGroup()); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "all bound", group, n)
	return ctx.Err()
}

func judgePodsBeforeGroup(v *history.View) []suites.Finding {
	all := v.Members(group)
	g := v.Gang(group)

	wait := kit.For(v, "BASIC-002")
	from, _ := wait.Watched("no group", "watched", len(all))
	wait.Fits(from, all)
	var appeared history.Stamp
	if g != nil {
		appeared = g.Created
	}
	wait.Premise(!appeared.IsZero(), nil, "the group was created in the end")

	bind := kit.For(v, "BASIC-002")
	bind.Premise(!appeared.IsZero(), nil, "the group was created in the end")
	bind.Fits(bind.Mark("watched"), all)
	return []suites.Finding{
		wait.NoneBefore(group, appeared, "the group existed"),
		bind.Counts("all bound", group, len(all)),
	}
}
