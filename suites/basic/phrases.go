package basic

import (
	"fmt"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/kit"
	"muster/workloads/build"
)

const (
	// mainPool is the one pool every scenario here has.
	mainPool = "main"
	// group is the name of the one group every scenario here has.
	group = "g"
)

// needs is a pool of nodes with one GPU each, so that a slot of shape kit.Worker is a node.
func needs(count int) suites.Needs {
	return suites.Needs{Pools: []nodes.Pool{{Name: mainPool, Count: count, GPUs: 1}}}
}

// slots is how many pods of shape kit.Worker the pool takes now. An error says that there are fewer than the story
// needs, which is the place's fault and no scheduler's.
func slots(env suites.Env, atLeast int) (int, error) {
	n := env.Pool(mainPool).Slots(kit.Worker)
	if n < atLeast {
		return 0, fmt.Errorf("counting the slots of pool %s: %d of 1 CPU and 1 GPU are free, the scenario needs %d; "+
			"check that its nodes exist and are empty", mainPool, n, atLeast)
	}
	return n, nil
}

// basicGroup is the group.
func basicGroup() build.Gang { return build.Gang{Name: group, Policy: build.BasicPolicy} }

// members are n pods of the group.
func members(n int) []build.Pod { return kit.Members(n, group, mainPool) }
