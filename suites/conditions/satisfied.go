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
		Name:         "conditions-satisfied",
		Profile:      "conditions",
		Summary:      "A gang is created with room for all its members.",
		Requirements: []string{"COND-001"},
		Needs:        needs(3),
		Weight:       1,
		Drive:        driveSatisfied,
		Judge:        judgeSatisfied,
	})
}

func driveSatisfied(ctx context.Context, env suites.Env) error {
	n, err := slots(env, 2)
	if err != nil {
		return err
	}
	g := build.Gang{Name: group, Quorum: int32(n)}
	if err := kit.CreateGang(ctx, env, g, kit.Members(n, group, mainPool)...); err != nil {
		return err
	}
	kit.AwaitMark(ctx, env, "bound and said so", n, kit.All(kit.Bound(group, n), says(group, isTrue)))
	return ctx.Err()
}

func judgeSatisfied(v *history.View) []suites.Finding {
	c := kit.For(v, "COND-001")
	mark := c.Mark("bound and said so")
	n := len(v.BoundAt(group, mark))
	c.Premise(n > 0 && n >= kit.Quorum(v, group), nil, "the quorum of the gang was bound (%d members were)", n)
	said := at(v, group, mark)
	return []suites.Finding{c.About(mark, object(v, group)).Holds(said.Status == isTrue,
		"%d members bound, quorum %d: the condition says %s; expected True", n, kit.Quorum(v, group), spoken(said))}
}
