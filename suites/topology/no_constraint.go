package topology

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "topology-no-constraint",
		Profile:      "topology",
		Summary:      "A gang without a constraint needs the nodes of two racks.",
		Requirements: []string{"TAS-020"},
		Needs:        needs(racks(2, 2, 1)),
		Weight:       1,
		Drive:        driveNoConstraint,
		Judge:        judgeNoConstraint,
	})
}

func driveNoConstraint(ctx context.Context, env suites.Env) error {
	n := env.Pool(mainPool).Slots(kit.Worker)
	env.Mark(ctx, "ready")
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: int32(n)}, kit.Members(n, "g", mainPool)...); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "all bound", "g", n)
	return ctx.Err()
}

func judgeNoConstraint(v *history.View) []suites.Finding {
	c := kit.For(v, "TAS-020")
	members := v.Members("g")
	c.Premise(keyOf(v, "g") == "", nil, "the gang demands no domain")
	c.Fits(c.Mark("ready"), members)
	return []suites.Finding{c.Counts("all bound", "g", len(members))}
}
