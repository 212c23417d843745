package robust

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"muster/fakes/faults"
	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

// mainPool is the pool of scenarios that need one.
const mainPool = "main"

// glance is long enough for a watch to have delivered what was just written, and for a scheduler to have begun on it.
// Nothing is judged by it.
const glance = 2 * time.Second

// needs is what every scenario here needs: a way to break the API, and pools of nodes with one GPU each, so that a slot
// of shape kit.Worker is a node.
func needs(pools map[string]int, also ...string) suites.Needs {
	n := suites.Needs{Capabilities: append([]string{suites.BreakAPI}, also...)}
	for _, name := range slices.Sorted(maps.Keys(pools)) {
		n.Pools = append(n.Pools, nodes.Pool{Name: name, Count: pools[name], GPUs: 1})
	}
	return n
}

// scenario fills in what all scenarios of the profile share.
func scenario(s suites.Scenario) suites.Scenario {
	s.Profile, s.Isolation = "robust", suites.Exclusive
	return s
}

// bindsOf picks the binds of a gang's members, which are named after it.
func bindsOf(env suites.Env, rule, gang string, f faults.Fault) faults.Rule {
	return faults.Rule{
		Name: rule, Verb: "create", Resource: "pods/binding", Namespace: env.Namespace(), Object: gang + "-*", Fault: f,
	}
}

// struck holds once the rule has struck at least n requests.
func struck(rule string, n int) kit.Cond {
	return func(v *history.View) bool { return len(v.Strikes(rule)) >= n }
}

// gang creates a gang that wants as many members as it has.
func gang(ctx context.Context, env suites.Env, name, pool string, n int) error {
	return kit.CreateGang(ctx, env, build.Gang{Name: name, Quorum: int32(n)}, kit.Members(n, name, pool)...)
}

// hit is the premise that the rule struck at least n requests.
func hit(c *kit.Case, v *history.View, rule string, n int) {
	got := len(v.Strikes(rule))
	c.Premise(got >= n, nil, "the fault %q struck %d requests or more (it struck %d)", rule, n, got)
}

// slots is how many pods of shape kit.Worker the pool takes now; fewer than the story needs are the place's fault.
func slots(env suites.Env, pool string, atLeast int) (int, error) {
	n := env.Pool(pool).Slots(kit.Worker)
	if n < atLeast {
		return 0, fmt.Errorf("pool %s has %d free slots of 1 CPU and 1 GPU, the scenario needs %d: check that its nodes exist and are empty", pool, n, atLeast)
	}
	return n, nil
}

// completes judges that all members of the gang are bound at the mark, and that there was room for them: every member
// that was ever created, unless the driver deleted it.
func completes(c *kit.Case, v *history.View, mark, name string, n int) suites.Finding {
	c.Premise(len(v.Members(name)) >= n && n > 0, nil, "gang %s has %d members", name, n)
	return c.Counts(mark, name, n)
}
