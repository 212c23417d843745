package gang

import (
	"context"
	"fmt"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "gang-gated-member",
		Profile:      "gang",
		Summary:      "One member of a gang has a scheduling gate, the others are the quorum; later the gate is removed.",
		Requirements: []string{"GANG-018", "GANG-019"},
		Needs:        needs(single(mainPool, 3)),
		Weight:       23,
		Drive:        driveGatedMember,
		Judge:        judgeGatedMember,
	})
}

func driveGatedMember(ctx context.Context, env suites.Env) error {
	n, err := slots(env, mainPool, 3)
	if err != nil {
		return err
	}
	members := kit.Members(n, "g", mainPool)
	members[0].Gates = []string{"muster.dev/held"}
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: int32(n - 1)}, members...); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "one gated", "watched", n); err != nil {
		return err
	}
	if err := env.UngatePods(ctx, members[0].Name); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "all bound", "g", n)
	return ctx.Err()
}

func judgeGatedMember(v *history.View) []suites.Finding {
	members := v.Members("g")
	n := len(members)

	held := kit.For(v, "GANG-018")
	from, to := held.Watched("one gated", "watched", n)
	held.Fits(from, members)
	gated := 0
	for _, p := range members {
		if g, _ := history.ValueAt(p.Gated, from); g {
			gated++
		}
	}
	held.Premise(gated == 1 && n-gated == kit.Quorum(v, "g"), nil, "one member is gated and the others are the quorum")

	freed := kit.For(v, "GANG-019")
	freed.Fits(freed.Mark("watched"), members)
	return []suites.Finding{
		held.Saw(fmt.Sprintf("%d of %d members without a gate bound", len(v.BoundAt("g", to)), n-1),
			"what happens to the quorum while one further member is gated"),
		freed.Counts("all bound", "g", n),
	}
}
