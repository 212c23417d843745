package robust

import (
	"context"
	"time"

	"muster/fakes/faults"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

// slowBy is how much longer every write takes.
const slowBy = 300 * time.Millisecond

// slowSize is the size of the gangs; there is room for one of them at a time.
const slowSize = 4

func init() {
	suites.Register(scenario(suites.Scenario{
		Name:         "robust-slow-api",
		Summary:      "Every write of the scheduler takes a third of a second while two gangs want the room for one.",
		Requirements: []string{"ROB-011"},
		Needs:        needs(map[string]int{mainPool: slowSize}),
		Weight:       14,
		Drive:        driveSlow,
		Judge:        judgeSlow,
	}))
}

func driveSlow(ctx context.Context, env suites.Env) error {
	f, err := suites.FaultsOf(env)
	if err != nil {
		return err
	}
	slow := faults.Fault{Delay: slowBy}
	if err := f.Break(ctx,
		faults.Rule{Name: "slow binds", Verb: "create", Resource: "pods/binding", Fault: slow},
		faults.Rule{Name: "slow status", Verb: "patch", Resource: "*/status", Fault: slow}); err != nil {
		return err
	}
	// Both lack one member, and get it at once: created one after the other, the first would be bound before the second is there
	// wherever the driver is slow.
	var last []build.Pod
	for _, name := range []string{"a", "b"} {
		members := kit.Members(slowSize, name, mainPool)
		if err := kit.CreateGang(ctx, env, build.Gang{Name: name, Quorum: slowSize}, members[:slowSize-1]...); err != nil {
			return err
		}
		last = append(last, members[slowSize-1])
	}
	if err := env.CreatePods(ctx, last...); err != nil {
		return err
	}
	var won string
	env.Await(ctx, "one gang runs", kit.Patience(env, slowSize), func(v *history.View) bool {
		for _, name := range []string{"a", "b"} {
			if kit.Bound(name, slowSize)(v) {
				won = name
			}
		}
		return won != ""
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	// Binds of the other gang that were sent meanwhile are still on their way; a place that is vacated at once would take them.
	env.Hold(ctx, "what is under way arrives", 4*slowBy)
	env.Mark(ctx, "one runs")
	if won == "" {
		return nil
	}
	var names []string
	for _, p := range kit.Members(slowSize, won, mainPool) {
		names = append(names, p.Name)
	}
	if err := kit.Vacate(ctx, env, names...); err != nil {
		return err
	}
	other := map[string]string{"a": "b", "b": "a"}[won]
	kit.AwaitBound(ctx, env, "other runs", other, slowSize)
	return ctx.Err()
}

func judgeSlow(v *history.View) []suites.Finding {
	first := kit.For(v, "ROB-011")
	hit(first, v, "slow binds", 1)
	at := first.Mark("one runs")
	a, b := len(v.BoundAt("a", at)), len(v.BoundAt("b", at))
	out := []suites.Finding{first.About(at, "podgroup a", "podgroup b").Holds(a+b == slowSize && (a == 0 || b == 0),
		"with room for one of two gangs of %d, %d and %d members were bound; all of one and none of the other had to be", slowSize, a, b)}
	second := kit.For(v, "ROB-011")
	hit(second, v, "slow binds", 1)
	if a+b != slowSize || a > 0 && b > 0 {
		return out // the driver went no further
	}
	name := "b"
	if b > 0 {
		name = "a"
	}
	return append(out, completes(second, v, "other runs", name, slowSize))
}
