package gang

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "gang-pods-before-group",
		Profile:      "gang",
		Summary:      "Members are created before the group they name; another gang is one member short meanwhile.",
		Requirements: []string{"GANG-010", "GANG-011"},
		Needs:        needs(single(mainPool, 4)),
		Weight:       20,
		Drive:        drivePodsBeforeGroup,
		Judge:        judgePodsBeforeGroup,
	})
}

func drivePodsBeforeGroup(ctx context.Context, env suites.Env) error {
	if _, err := slots(env, mainPool, 4); err != nil {
		return err
	}
	if err := env.CreatePods(ctx, kit.Members(2, "late", mainPool)...); err != nil {
		return err
	}
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "short", Quorum: 2}, kit.Members(1, "short", mainPool)...); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "no group", "watched", 2); err != nil {
		return err
	}
	if err := env.CreateGang(ctx, build.Gang{Name: "late", Quorum: 2}); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "all bound", "late", 2)
	return ctx.Err()
}

func judgePodsBeforeGroup(v *history.View) []suites.Finding {
	members := v.Members("late")
	var appeared history.Stamp
	if g := v.Gang("late"); g != nil {
		appeared = g.Created
	}

	wait := kit.For(v, "GANG-010")
	from, to := wait.Watched("no group", "watched", 2)
	wait.Fits(from, members)
	wait.Exist("late", 2)

	start := kit.For(v, "GANG-010")
	start.Fits(start.Mark("watched"), members)

	silent := kit.For(v, "GANG-011")
	silent.Watched("no group", "watched", 2)
	return []suites.Finding{
		wait.NoneBefore("late", appeared, "their group existed"),
		start.Counts("all bound", "late", len(members)),
		silent.Saw("group missing: "+spoken(members, to)+"; below quorum: "+spoken(v.Members("short"), to)+", "+
			conditions(v.Gang("short"), to),
			"what members and group say while the gang cannot be tried"),
	}
}
