package gang

import (
	"fmt"
	"time"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/kit"
)

// mainPool is the pool of scenarios that need one.
const mainPool = "main"

// glance is long enough for a scheduler's watch to have delivered what was just written. It is used where nothing can
// be awaited and nothing is judged by it.
const glance = 3 * time.Second

// single is a pool of nodes with one GPU each, so that a slot of shape kit.Worker is a node.
func single(name string, count int) nodes.Pool { return nodes.Pool{Name: name, Count: count, GPUs: 1} }

// needs is the usual need: pools.
func needs(pools ...nodes.Pool) suites.Needs { return suites.Needs{Pools: pools} }

// withClasses adds priority classes, which are the scenario's own.
func withClasses(n suites.Needs, classes map[string]int32) suites.Needs {
	n.PriorityClasses = classes
	return n
}

// slots is how many pods of shape kit.Worker the pool takes now. An error says that there are fewer than the story
// needs, which is the place's fault and no scheduler's.
func slots(env suites.Env, pool string, atLeast int) (int, error) {
	n := env.Pool(pool).Slots(kit.Worker)
	if n < atLeast {
		return 0, fmt.Errorf("pool %s has %d free slots of 1 CPU and 1 GPU, the scenario needs %d: check that its nodes exist and are empty", pool, n, atLeast)
	}
	return n, nil
}
