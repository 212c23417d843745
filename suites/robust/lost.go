package robust

import (
	"context"

	"muster/fakes/faults"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

// lostSize is the size of the gang whose answers are lost.
const lostSize = 3

func init() {
	suites.Register(scenario(suites.Scenario{
		Name:         "robust-answers-lost",
		Summary:      "The API server carries out binds whose answers never reach the scheduler.",
		Requirements: []string{"ROB-004"},
		Needs:        needs(map[string]int{mainPool: lostSize}),
		Weight:       8,
		Drive:        driveLost,
		Judge:        judgeLost,
	}))
}

func driveLost(ctx context.Context, env suites.Env) error {
	f, err := suites.FaultsOf(env)
	if err != nil {
		return err
	}
	rule := bindsOf(env, "lost", "g", faults.Fault{Lose: true})
	rule.Times = 2
	if err := f.Break(ctx, rule); err != nil {
		return err
	}
	if err := gang(ctx, env, "g", mainPool, lostSize); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "complete", "g", lostSize)
	if err := f.Mend(ctx, "lost"); err != nil {
		return err
	}
	// What the scheduler believes about the nodes shows in what it does next: a member leaves, and another takes its
	// place. Nothing is left over for a scheduler that still counts a bind it thinks has failed.
	if err := kit.Vacate(ctx, env, "g-0"); err != nil {
		return err
	}
	if err := env.CreatePods(ctx, kit.Plain("next", mainPool)); err != nil {
		return err
	}
	kit.AwaitMark(ctx, env, "next runs", 1, kit.PodsBound("next"))
	return ctx.Err()
}

func judgeLost(v *history.View) []suites.Finding {
	c := kit.For(v, "ROB-004")
	hit(c, v, "lost", 1)
	after := kit.For(v, "ROB-004")
	hit(after, v, "lost", 1)
	at := after.Mark("next runs")
	next := v.Pod("next")
	return []suites.Finding{
		completes(c, v, "complete", "g", lostSize),
		after.About(at, "pod next").Holds(next != nil && next.BoundAt(at),
			"a pod that takes the place of a member whose bind's answer was lost was waited for; it had to be bound"),
	}
}
