package topology

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "topology-two-gangs-two-racks",
		Profile:      "topology",
		Summary:      "Two gangs demand one rack each, and a rack takes one of them.",
		Requirements: []string{"TAS-015"},
		Needs:        needs(racks(2, 2, 1)),
		Weight:       1,
		Drive:        driveTwoRacks,
		Judge:        judgeTwoRacks,
	})
	suites.Register(suites.Scenario{
		Name:         "topology-two-gangs-one-rack",
		Profile:      "topology",
		Summary:      "Two gangs demand one rack each, and only one rack has room, for both.",
		Requirements: []string{"TAS-016"},
		Needs:        needs(racks(2, 4, 1)),
		Weight:       1,
		Drive:        driveSharedRack,
		Judge:        judgeSharedRack,
	})
}

func driveTwoRacks(ctx context.Context, env suites.Env) error {
	env.Mark(ctx, "ready")
	return twoGangs(ctx, env)
}

func driveSharedRack(ctx context.Context, env suites.Env) error {
	if _, err := fill(ctx, env, "taken", "", rack(env, 0)...); err != nil {
		return err
	}
	env.Mark(ctx, "ready")
	return twoGangs(ctx, env)
}

func twoGangs(ctx context.Context, env suites.Env) error {
	for _, name := range []string{"a", "b"} {
		if err := kit.CreateGang(ctx, env, racked(env, name, 2), kit.Members(2, name, mainPool)...); err != nil {
			return err
		}
	}
	kit.AwaitMark(ctx, env, "all bound", 2, kit.All(kit.Bound("a", 2), kit.Bound("b", 2)))
	return ctx.Err()
}

func judgeTwoRacks(v *history.View) []suites.Finding {
	var out []suites.Finding
	for _, name := range []string{"a", "b"} {
		c := kit.For(v, "TAS-015")
		c.FitsWithin(c.Mark("ready"), v.Members(name), keyOf(v, name), "", 2)
		both := append(v.Members("a"), v.Members("b")...)
		c.ShortWithin(c.Mark("ready"), both, keyOf(v, name), "", 3)
		out = append(out, together(c, v, name, "all bound", 2))
	}
	return out
}

func judgeSharedRack(v *history.View) []suites.Finding {
	var out []suites.Finding
	for _, name := range []string{"a", "b"} {
		c := kit.For(v, "TAS-016")
		both := append(v.Members("a"), v.Members("b")...)
		c.FitsWithin(c.Mark("ready"), both, keyOf(v, name), "", 4)
		c.ShortWithin(c.Mark("ready"), both, "", "", 5)
		out = append(out, together(c, v, name, "all bound", 2))
	}
	return out
}
