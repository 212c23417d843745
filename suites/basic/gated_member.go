package basic

import (
	"context"
	"fmt"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "basic-gated-member",
		Profile:      "basic",
		Summary:      "One member of a basic group has a scheduling gate, which is removed later.",
		Requirements: []string{"BASIC-005"},
		Needs:        needs(3),
		Weight:       23,
		Drive:        driveGatedMember,
		Judge:        judgeGatedMember,
	})
}

func driveGatedMember(ctx context.Context, env suites.Env) error {
	n, err := slots(env, 2)
	if err != nil {
		return err
	}
	pods := members(n)
	pods[0].Gates = []string{"muster.dev/held"}
	if err := kit.CreateGang(ctx, env, basicGroup(), pods...); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "one gated", "watched", n); err != nil {
		return err
	}
	if err := env.UngatePods(ctx, pods[0].Name); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "ungated", group, n)
	return ctx.Err()
}

func judgeGatedMember(v *history.View) []suites.Finding {
	all := v.Members(group)
	c := kit.For(v, "BASIC-005")
	from, to := c.Watched("one gated", "watched", len(all))
	c.Fits(from, all)
	gated := 0
	for _, p := range all {
		if g, _ := history.ValueAt(p.Gated, from); g {
			gated++
		}
	}
	c.Premise(gated == 1, nil, "one member was gated")
	end := c.Mark("ungated")
	return []suites.Finding{c.Saw(
		fmt.Sprintf("%d of %d ungated members bound; %d of %d once the gate was gone",
			len(v.BoundAt(group, to)), len(all)-gated, len(v.BoundAt(group, end)), len(all)),
		"what happens to the members of a basic group while one of them is gated")}
}
