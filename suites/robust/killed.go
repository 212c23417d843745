package robust

import (
	"context"
	"fmt"

	"muster/fakes/faults"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

// killedSize is the size of the gangs: there is one for each number of binds that are through when the scheduler is
// killed.
const killedSize = 3

func init() {
	pools := map[string]int{}
	for k := range killedSize {
		pools[killedName(k)] = killedSize
	}
	suites.Register(scenario(suites.Scenario{
		Name:         "robust-killed-between-binds",
		Summary:      "The scheduler is killed after none, one, … of the binds of a gang and started again, at every number.",
		Requirements: []string{"ROB-001"},
		Needs:        needs(pools, "restart-scheduler"),
		Weight:       15,
		Drive:        driveKilled,
		Judge:        judgeKilled,
	}))
}

func killedName(k int) string { return fmt.Sprintf("after%d", k) }

func driveKilled(ctx context.Context, env suites.Env) error {
	f, err := suites.FaultsOf(env)
	if err != nil {
		return err
	}
	for k := range killedSize {
		if err := killAfter(ctx, env, f, killedName(k), k); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// killAfter lets k binds of a gang through and kills the scheduler while the next one is under way. It starts it again
// whatever happened: others come after this scenario.
func killAfter(ctx context.Context, env suites.Env, f suites.Faults, name string, k int) (err error) {
	next := bindsOf(env, name, name, faults.Fault{Hang: true})
	next.Skip = k
	if err := f.Break(ctx, next); err != nil {
		return err
	}
	if err := gang(ctx, env, name, name, killedSize); err != nil {
		return err
	}
	env.Await(ctx, fmt.Sprintf("bind %d of %s is under way", k+1, name), env.Settle(killedSize), kit.All(struck(name, 1), kit.Bound(name, k)))
	if err := f.KillScheduler(ctx); err != nil {
		return err
	}
	env.Mark(ctx, name+" killed")
	if err := f.Mend(ctx, name); err != nil {
		return err
	}
	if err := env.StartScheduler(ctx); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, name+" complete", name, killedSize)
	return nil
}

func judgeKilled(v *history.View) []suites.Finding {
	var out []suites.Finding
	for k := range killedSize {
		name := killedName(k)
		c := kit.For(v, "ROB-001")
		hit(c, v, name, 1)
		at := c.Mark(name + " killed")
		got := len(v.BoundAt(name, at))
		c.Premise(got == k, nil, "%d of %d members were bound when the scheduler was killed (%d were)", k, killedSize, got)
		out = append(out, completes(c, v, name+" complete", name, killedSize))
	}
	return out
}
