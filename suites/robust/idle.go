package robust

import (
	"context"
	"time"

	"muster/fakes/faults"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

// quietFor is how long requests are counted.
const quietFor = 15 * time.Second

// Bounds in requests a second. A scheduler that waits for events alone makes next to none: renewed watches and perhaps a
// lease. Stock retries a gang after a back-off of up to ten seconds and writes what it found; one that tries again at
// once makes hundreds.
const (
	idleBound    = 10.0
	refusedBound = 20.0
)

// idleSize is the size of the gangs that wait.
const idleSize = 3

func init() {
	suites.Register(scenario(suites.Scenario{
		Name:         "robust-nothing-changes",
		Summary:      "A gang waits for room that does not come, and the requests of the scheduler are counted.",
		Requirements: []string{"ROB-012"},
		Needs:        needs(map[string]int{mainPool: idleSize - 1}),
		Weight:       20,
		Drive:        driveIdle,
		Judge:        func(v *history.View) []suites.Finding { return []suites.Finding{rate(v, "ROB-012", idleBound)} },
	}))
	suites.Register(scenario(suites.Scenario{
		Name:         "robust-binds-refused-for-a-while",
		Summary:      "Every bind of a gang is refused for a while, and the requests of the scheduler are counted.",
		Requirements: []string{"ROB-013"},
		Needs:        needs(map[string]int{mainPool: idleSize}),
		Weight:       20,
		Drive:        driveBindsRefused,
		Judge:        judgeBindsRefused,
	}))
}

func driveIdle(ctx context.Context, env suites.Env) error {
	f, err := suites.FaultsOf(env)
	if err != nil {
		return err
	}
	if err := gang(ctx, env, "g", mainPool, idleSize); err != nil {
		return err
	}
	kit.AwaitTried(ctx, env, "g", 1)
	env.Hold(ctx, "what follows from the creation is over", glance)
	return count(ctx, env, f, quietFor)
}

func driveBindsRefused(ctx context.Context, env suites.Env) error {
	f, err := suites.FaultsOf(env)
	if err != nil {
		return err
	}
	if err := f.Break(ctx, bindsOf(env, "refused", "g", faults.Fault{Status: 500})); err != nil {
		return err
	}
	if err := gang(ctx, env, "g", mainPool, idleSize); err != nil {
		return err
	}
	// Shorter than the settle bound, so that progress is still a fair question.
	if err := count(ctx, env, f, min(10*time.Second, env.Settle(idleSize)/2)); err != nil {
		return err
	}
	if err := f.Mend(ctx, "refused"); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "complete", "g", idleSize)
	return ctx.Err()
}

// count counts requests at both ends of a time in which the driver does nothing.
func count(ctx context.Context, env suites.Env, f suites.Faults, d time.Duration) error {
	if err := f.Count(ctx, "from"); err != nil {
		return err
	}
	env.Hold(ctx, "requests are counted", d)
	if err := ctx.Err(); err != nil {
		return err
	}
	return f.Count(ctx, "to")
}

func judgeBindsRefused(v *history.View) []suites.Finding {
	c := kit.For(v, "ROB-013")
	hit(c, v, "refused", 1)
	return []suites.Finding{rate(v, "ROB-013", refusedBound), completes(c, v, "complete", "g", idleSize)}
}

// rate judges how many requests a second the scheduler made between the two counts.
func rate(v *history.View, id string, bound float64) suites.Finding {
	c := kit.For(v, id)
	from, begin, counted := v.Calls("from")
	to, end, again := v.Calls("to")
	c.Premise(counted && again && end > begin, nil, "requests were counted twice")
	if !counted || !again || end <= begin {
		return c.Holds(false, "requests were not counted")
	}
	most, n, all := "", 0, 0
	for kind, k := range to {
		k -= from[kind]
		all += k
		if k > n || k == n && kind < most {
			most, n = kind, k
		}
	}
	took := end - begin
	perSecond := float64(all) / took.Seconds()
	return c.Holds(perSecond <= bound, "%d requests in %s (%.1f a second), most of them %d of %q; at most %.0f a second were allowed",
		all, suites.Seconds(took), perSecond, n, most, bound)
}
