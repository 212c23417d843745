package conditions

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
		Name:         "conditions-generation",
		Profile:      "conditions",
		Summary:      "A gang is refused, refused again under a lower minCount, and bound when a slot is freed.",
		Requirements: []string{"COND-005"},
		Needs:        needs(4),
		Weight:       8,
		Drive:        driveGeneration,
		Judge:        judgeGeneration,
	})
}

func driveGeneration(ctx context.Context, env suites.Env) error {
	n, err := slots(env, 3)
	if err != nil {
		return err
	}
	// Of n slots one is taken, so n-1 are left: too few for n+1 members and too few for n of them.
	taken, err := kit.Occupy(ctx, env, mainPool, "taken", "", 1)
	if err != nil {
		return err
	}
	g := build.Gang{Name: group, Quorum: int32(n + 1)}
	if err := kit.CreateGang(ctx, env, g, kit.Members(n+1, group, mainPool)...); err != nil {
		return err
	}
	kit.AwaitMark(ctx, env, "refused", n, says(group, isFalse))
	if err := env.SetQuorum(ctx, group, int32(n)); err != nil {
		return err
	}
	// A scheduler that fails again under the new generation says so; one that does not need not, so nothing is judged
	// by the end of this wait.
	env.Await(ctx, "refused under the new generation", env.Settle(n), current(group))
	if err := kit.Vacate(ctx, env, taken...); err != nil {
		return err
	}
	kit.AwaitMark(ctx, env, "satisfied", n, says(group, isTrue))
	return ctx.Err()
}

// current holds once the gang's condition carries the gang's present generation.
func current(gang string) kit.Cond {
	return func(v *history.View) bool {
		g := v.Gang(gang)
		if g == nil || len(g.Quorum) < 2 {
			return false
		}
		generation, _ := history.Latest(g.Generation)
		return latest(v, gang).ObservedGeneration == generation
	}
}

func judgeGeneration(v *history.View) []suites.Finding {
	c := kit.For(v, "COND-005")
	refused, satisfied := c.Mark("refused"), c.Mark("satisfied")
	c.Premise(at(v, group, refused).Status == isFalse, nil, "the condition was False at first")
	c.Premise(at(v, group, satisfied).Status == isTrue, nil, "the condition was True in the end")
	c.Premise(!kit.QuorumChange(v, group).IsZero(), nil, "minCount was changed in between")
	g := v.Gang(group)
	c.Premise(g != nil, nil, "the gang is part of the record")
	if g == nil {
		return []suites.Finding{c.Holds(false, "no gang")}
	}
	wrong := append(wrongGenerations(g, satisfied), wrongTransitions(g)...)
	if len(wrong) == 0 {
		return []suites.Finding{c.About(satisfied, object(v, group)).Holds(true,
			"every one of %d conditions carries its generation and its transition time", len(g.Satisfied))}
	}
	return []suites.Finding{c.About(wrong[0].Stamp, object(v, group)).Holds(false, "%s", wrong[0].Value)}
}

// wrongGenerations are the conditions that carry none although the group has one (the API server of 1.37.2 gives
// PodGroups none, and then there is nothing to carry), one that did not exist yet, an older one than before, or, at
// the stamp at which the gang was satisfied, one under which it could not have been.
func wrongGenerations(g *history.Gang, satisfied history.Stamp) (out []history.At[string]) {
	var before int64
	for _, s := range g.Satisfied {
		if s.Value.Status == "" {
			continue
		}
		seen := s.Value.ObservedGeneration
		now, _ := history.ValueAt(g.Generation, s.Stamp)
		switch {
		case seen == 0 && now > 0:
			out = append(out, told(s.Stamp, "condition %s carries no observedGeneration; the group's generation is %d", spoken(s.Value), now))
		case seen > now:
			out = append(out, told(s.Stamp, "condition %s carries generation %d when the group's was %d", spoken(s.Value), seen, now))
		case seen < before:
			out = append(out, told(s.Stamp, "condition %s carries generation %d after one that carried %d", spoken(s.Value), seen, before))
		}
		before = seen
	}
	last, _ := history.ValueAt(g.Satisfied, satisfied)
	now, _ := history.ValueAt(g.Generation, satisfied)
	if last.ObservedGeneration != now {
		out = append(out, told(satisfied, "the gang was satisfied only under generation %d, but its condition carries %d", now, last.ObservedGeneration))
	}
	return out
}

// wrongTransitions are the conditions whose transition time moved although the status did not, or that turned to
// another status at an earlier time than the one before. Times have whole seconds, so an equal one proves nothing.
func wrongTransitions(g *history.Gang) (out []history.At[string]) {
	for i := 1; i < len(g.Satisfied); i++ {
		was, is := g.Satisfied[i-1].Value, g.Satisfied[i].Value
		if was.Status == "" || is.Status == "" {
			continue
		}
		switch {
		case was.Status == is.Status && !was.LastTransition.Equal(is.LastTransition):
			out = append(out, told(g.Satisfied[i].Stamp, "lastTransitionTime moved by %s while the status stayed %s",
				is.LastTransition.Sub(was.LastTransition), is.Status))
		case was.Status != is.Status && is.LastTransition.Before(was.LastTransition):
			out = append(out, told(g.Satisfied[i].Stamp, "the status turned from %s to %s, and lastTransitionTime went back by %s",
				was.Status, is.Status, was.LastTransition.Sub(is.LastTransition)))
		}
	}
	return out
}

func told(s history.Stamp, format string, args ...any) history.At[string] {
	return history.At[string]{Stamp: s, Value: fmt.Sprintf(format, args...)}
}
