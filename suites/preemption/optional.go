package preemption

import (
	"context"
	"fmt"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "preemption-for-optional-members",
		Profile:      "preemption",
		Summary:      "Members beyond the quorum find pods of low priority in their way, before and after their gang's quorum runs.",
		Requirements: []string{"PRE-014", "PRE-044"},
		Needs:        needs(pool("before", 2, 1), pool("after", 3, 1)),
		Weight:       23,
		Drive:        driveOptional,
		Judge:        judgeOptional,
	})
}

func driveOptional(ctx context.Context, env suites.Env) error {
	before, after := env.Pool("before").Nodes(), env.Pool("after").Nodes()
	if err := place(ctx, env, append(across(before, pod("before", "before", "low")), on(after[0], pod("after", "after", "low")))...); err != nil {
		return err
	}
	env.Mark(ctx, ready)
	if err := attack(ctx, env, "b", "before", 1, 2); err != nil {
		return err
	}
	if err := attack(ctx, env, "a", "after", 2, 3); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "came", settled, 3)
}

func judgeOptional(v *history.View) []suites.Finding {
	b, a := gang(v, "b", podsOf(v, "before-0", "before-1")...), gang(v, "a", podsOf(v, "after")...)
	saw := func(c *kit.Case, s story, what string) suites.Finding {
		at := c.Mark(settled)
		gone := preempted(v, s.legal, at)
		return c.About(at, kit.Objects(gone)...).Saw(fmt.Sprintf("%d of %d preempted", len(gone), len(s.legal)), "%s", what)
	}
	leftover := kit.For(v, "PRE-014")
	leftover.RoomFor(leftover.Mark(ready), a.preemptor, len(a.preemptor)-1)
	return []suites.Finding{
		saw(b.opened("PRE-044"), b, "victims of a gang of two whose quorum is one"),
		saw(leftover, a, "victims of a third member whose quorum of two finds room"),
	}
}
