package conditions

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "conditions-no-room",
		Profile:      "conditions",
		Summary:      "A gang is created that is one slot larger than the room for it.",
		Requirements: []string{"COND-002"},
		Needs:        needs(2),
		Weight:       2,
		Drive:        driveNoRoom,
		Judge:        judgeNoRoom,
	})
}

func driveNoRoom(ctx context.Context, env suites.Env) error {
	n, err := slots(env, 1)
	if err != nil {
		return err
	}
	n++
	env.Mark(ctx, "short by one")
	g := build.Gang{Name: group, Quorum: int32(n)}
	if err := kit.CreateGang(ctx, env, g, kit.Members(n, group, mainPool)...); err != nil {
		return err
	}
	kit.AwaitMark(ctx, env, "refused", n, saysWhy(group, "Unschedulable"))
	return ctx.Err()
}

// saysWhy holds once the gang's condition is False with the reason. Another reason is waited out: the first attempt
// may have met with something that passes.
func saysWhy(gang, reason string) kit.Cond {
	return func(v *history.View) bool {
		c := latest(v, gang)
		return c.Status == isFalse && c.Reason == reason
	}
}

func judgeNoRoom(v *history.View) []suites.Finding {
	all := v.Members(group)
	c := kit.For(v, "COND-002")
	from, to := c.Mark("short by one"), c.Mark("refused")
	c.Premise(len(all) > 0 && len(all) == kit.Quorum(v, group), nil, "the gang has exactly its quorum of members")
	c.NeverRoom(from, to, all, len(all))
	said := at(v, group, to)
	return []suites.Finding{c.About(to, object(v, group)).Holds(said.Status == isFalse && said.Reason == "Unschedulable",
		"a gang short by one slot: the condition says %s; expected False (Unschedulable)", spoken(said))}
}
