package robust

import (
	"context"

	"muster/fakes/faults"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

// watchesSize is the size of the gangs here.
const watchesSize = 2

func init() {
	suites.Register(scenario(suites.Scenario{
		Name:         "robust-watches-cut",
		Summary:      "All watches of the scheduler end between the pieces of a gang; once they can be resumed, once they have expired.",
		Requirements: []string{"ROB-005"},
		Needs:        needs(map[string]int{"resumed": watchesSize, "expired": watchesSize}),
		Weight:       10,
		Drive:        driveCut,
		Judge:        judgeCut,
	}))
	suites.Register(scenario(suites.Scenario{
		Name:         "robust-watches-stale",
		Summary:      "The scheduler hears nothing for a while in which the room for a gang is taken; later it is given back.",
		Requirements: []string{"ROB-006"},
		Needs:        needs(map[string]int{mainPool: watchesSize}),
		Weight:       28,
		Drive:        driveStale,
		Judge:        judgeStale,
	}))
}

func driveCut(ctx context.Context, env suites.Env) error {
	f, err := suites.FaultsOf(env)
	if err != nil {
		return err
	}
	for _, name := range []string{"resumed", "expired"} {
		if err := env.CreateGang(ctx, build.Gang{Name: name, Quorum: watchesSize}); err != nil {
			return err
		}
		members := kit.Members(watchesSize, name, name)
		if err := env.CreatePods(ctx, members[:1]...); err != nil {
			return err
		}
		if name == "expired" {
			// Each resource once: what comes after is a list, or a watch that begins with one.
			if err := f.Break(ctx, faults.Rule{Name: name, Verb: "watch", Resource: "p*", Times: 2, Fault: faults.Fault{Status: 410}}); err != nil {
				return err
			}
		}
		if err := f.Cut(ctx, ""); err != nil {
			return err
		}
		if err := env.CreatePods(ctx, members[1:]...); err != nil {
			return err
		}
		kit.AwaitBound(ctx, env, name+" complete", name, watchesSize)
	}
	return ctx.Err()
}

func judgeCut(v *history.View) []suites.Finding {
	var out []suites.Finding
	for _, name := range []string{"resumed", "expired"} {
		c := kit.For(v, "ROB-005")
		_, _, cut := v.Broken("cut ")
		c.Premise(cut, nil, "watches were cut")
		if name == "expired" {
			hit(c, v, name, 1)
		}
		out = append(out, completes(c, v, name+" complete", name, watchesSize))
	}
	return out
}

func driveStale(ctx context.Context, env suites.Env) error {
	f, err := suites.FaultsOf(env)
	if err != nil {
		return err
	}
	n, err := slots(env, mainPool, watchesSize)
	if err != nil {
		return err
	}
	if err := f.Break(ctx, faults.Rule{Name: "stale", Verb: "watch", Fault: faults.Fault{Hold: true}}); err != nil {
		return err
	}
	taken, err := kit.Occupy(ctx, env, mainPool, "taken", "", 1)
	if err != nil {
		return err
	}
	if err := gang(ctx, env, "g", mainPool, n); err != nil {
		return err
	}
	env.Hold(ctx, "nothing is heard", glance)
	if err := f.Mend(ctx, "stale"); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "heard", "watched", n); err != nil {
		return err
	}
	if err := kit.Vacate(ctx, env, taken...); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "complete", "g", n)
	return ctx.Err()
}

func judgeStale(v *history.View) []suites.Finding {
	members := v.Members("g")
	n := len(members)
	opened := func() *kit.Case {
		c := kit.For(v, "ROB-006")
		_, mended, broken := v.Broken("stale")
		c.Premise(broken && !mended.IsZero(), nil, "the scheduler's watches were held back and let go again")
		return c
	}
	none := opened()
	from, to := none.Watched("heard", "watched", n)
	none.ShortByOne(from, members)
	return []suites.Finding{
		none.None("g", history.Stamp{}, to, "while one slot was taken that the scheduler had not heard of at first"),
		completes(opened(), v, "complete", "g", n),
	}
}
