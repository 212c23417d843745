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
		Name:         "conditions-true-for-ever",
		Profile:      "conditions",
		Summary:      "After a gang was bound, a further member finds no room, and then bound members are deleted.",
		Requirements: []string{"COND-004"},
		Needs:        needs(3),
		Weight:       18,
		Drive:        driveTrueForEver,
		Judge:        judgeTrueForEver,
	})
}

func driveTrueForEver(ctx context.Context, env suites.Env) error {
	n, err := slots(env, 3)
	if err != nil {
		return err
	}
	pods := kit.Members(n+1, group, mainPool)
	g := build.Gang{Name: group, Quorum: int32(n)}
	if err := kit.CreateGang(ctx, env, g, pods[:n]...); err != nil {
		return err
	}
	kit.AwaitMark(ctx, env, "satisfied", n, says(group, isTrue))
	// A further attempt on the group, and it fails: the pool is full.
	if err := env.CreatePods(ctx, pods[n]); err != nil {
		return err
	}
	kit.AwaitTried(ctx, env, group, 1)
	env.Mark(ctx, "one too many")
	// Two bound members go, and even with the one that waits the quorum cannot be met any more.
	if err := kit.Vacate(ctx, env, pods[0].Name, pods[1].Name); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "below the quorum", "watched", 1)
}

func judgeTrueForEver(v *history.View) []suites.Finding {
	c := kit.For(v, "COND-004")
	start := c.Mark("satisfied")
	c.Premise(at(v, group, start).Status == isTrue, nil, "the condition was True at first")
	_, end := c.Watched("below the quorum", "watched", 1)
	left := len(v.BoundAt(group, end))
	c.Premise(left < kit.Quorum(v, group), nil, "the gang fell below its quorum (%d members were left)", left)

	change, when := firstChangeFromTrue(v.Gang(group))
	if !when.IsZero() {
		c.About(when, object(v, group))
	}
	return []suites.Finding{c.Holds(when.IsZero(),
		"the condition was True and then said %s, with %d members left; expected True for ever", spoken(change), left)}
}

// firstChangeFromTrue is the first thing other than True that the condition said after it had been True; a zero stamp:
// never.
func firstChangeFromTrue(g *history.Gang) (history.Condition, history.Stamp) {
	was := history.Condition{}
	if g == nil {
		return was, history.Stamp{}
	}
	for _, s := range g.Satisfied {
		if was.Status == isTrue && s.Value.Status != isTrue {
			return s.Value, s.Stamp
		}
		was = s.Value
	}
	return was, history.Stamp{}
}
