package conditions

import (
	"context"
	"fmt"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

// leftoverGangs is how often the story is told at the same time. A scheduler that overwrites its own True does so in a
// race of milliseconds between the write and its coming back through the watch: once is chance, many times is not.
const leftoverGangs = 60

func init() {
	suites.Register(suites.Scenario{
		Name:         "conditions-leftovers-retried",
		Profile:      "conditions",
		Summary:      "Many gangs with a quorum of one: one member fits, the other fits no node and is tried again.",
		Requirements: []string{"COND-004"},
		Needs: suites.Needs{Pools: []nodes.Pool{{
			Name: mainPool, Count: 8, GPUs: 8,
		}}},
		Weight: 25,
		Drive:  driveLeftoversRetried,
		Judge:  judgeLeftoversRetried,
	})
}

func leftoverGang(i int) string { return fmt.Sprintf("g%02d", i) }

func driveLeftoversRetried(ctx context.Context, env suites.Env) error {
	if n, err := slots(env, leftoverGangs); err != nil {
		return fmt.Errorf("one slot for each of %d gangs: %w (%d)", leftoverGangs, err, n)
	}
	for i := range leftoverGangs {
		g := leftoverGang(i)
		// The member that never fits comes first, so that both are there when the quorum of one can be met.
		giant := kit.Plain(g+"-giant", mainPool)
		giant.Gang, giant.GPUs = g, 1000
		small := kit.Plain(g+"-small", mainPool)
		small.Gang = g
		if err := env.CreatePods(ctx, giant, small); err != nil {
			return err
		}
	}
	for i := range leftoverGangs {
		if err := env.CreateGang(ctx, build.Gang{Name: leftoverGang(i), Quorum: 1}); err != nil {
			return err
		}
	}
	kit.AwaitMark(ctx, env, "all satisfied", leftoverGangs, allSaidTrue)
	return kit.Watch(ctx, env, "retries", "watched", 2)
}

// allSaidTrue holds once every gang's condition has been True at some time.
func allSaidTrue(v *history.View) bool {
	for i := range leftoverGangs {
		if !everTrue(v.Gang(leftoverGang(i))) {
			return false
		}
	}
	return true
}

func everTrue(g *history.Gang) bool {
	if g == nil {
		return false
	}
	for _, s := range g.Satisfied {
		if s.Value.Status == isTrue {
			return true
		}
	}
	return false
}

func judgeLeftoversRetried(v *history.View) []suites.Finding {
	c := kit.For(v, "COND-004")
	c.Watched("retries", "watched", 2)
	said, taken := 0, 0
	for i := range leftoverGangs {
		name := leftoverGang(i)
		if !everTrue(v.Gang(name)) {
			continue
		}
		said++
		if _, when := firstChangeFromTrue(v.Gang(name)); !when.IsZero() {
			if taken++; taken == 1 {
				c.About(when, object(v, name))
			}
		}
	}
	c.Premise(said > 0, nil, "the condition of at least one gang was True")
	return []suites.Finding{c.Holds(taken == 0,
		"%d of %d conditions that had been True said something else later, when the members left over were tried again; expected True for ever", taken, said)}
}
