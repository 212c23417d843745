package preemption

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "preemption-only-part-can-make-room",
		Profile:      "preemption",
		Summary:      "A basic group of two, and a gang of two with a quorum of one, find one node held by a lower and one by a higher priority.",
		Requirements: []string{"PRE-002", "PRE-045"},
		Needs:        needs(pool("basic", 2, 1), pool("gang", 2, 1)),
		Weight:       20,
		Drive:        drivePartMakesRoom,
		Judge:        judgePartMakesRoom,
	})
}

func drivePartMakesRoom(ctx context.Context, env suites.Env) error {
	for _, name := range []string{"basic", "gang"} {
		nodes := env.Pool(name).Nodes()
		if err := place(ctx, env, on(nodes[0], pod(name+"-low", name, "low")), on(nodes[1], pod(name+"-top", name, "top"))); err != nil {
			return err
		}
	}
	env.Mark(ctx, ready)
	if err := attackWith(ctx, env, build.Gang{Name: "b", Policy: build.BasicPolicy}, 2, member("b", "b", "basic", "high")); err != nil {
		return err
	}
	if err := attack(ctx, env, "g", "gang", 1, 2); err != nil {
		return err
	}
	// The member that stays behind may be tried again; it must not do harm then either.
	return kit.Watch(ctx, env, "came", settled, 2)
}

func judgePartMakesRoom(v *history.View) []suites.Finding {
	b := gang(v, "b", podsOf(v, "basic-low")...)
	g := gang(v, "g", podsOf(v, "gang-low")...)
	return []suites.Finding{
		b.bound(b.opened("PRE-002"), 1),
		b.hit(b.opened("PRE-002"), b.legal, 1, 1, "for a basic group"),
		g.spared(untouchedFor(g.opened("PRE-045"), 2), podsOf(v, "gang-top"), "for a member beyond the quorum"),
		b.spared(untouchedFor(b.opened("PRE-045"), 2), podsOf(v, "basic-top"), "for a member of a basic group"),
		g.bound(g.opened("PRE-045"), 1),
	}
}
