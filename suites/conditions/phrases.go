package conditions

import (
	"fmt"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

const (
	// mainPool is the one pool every scenario here has.
	mainPool = "main"
	// group is the gang of scenarios that have only one.
	group = "g"
)

// Statuses of a condition. The zero condition has the empty status: none was written, or it was removed.
const (
	isTrue  = "True"
	isFalse = "False"
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

// latest is what the gang's condition says last.
func latest(v *history.View, gang string) history.Condition {
	g := v.Gang(gang)
	if g == nil {
		return history.Condition{}
	}
	c, _ := history.Latest(g.Satisfied)
	return c
}

// says holds once the gang's condition has the status.
func says(gang, status string) kit.Cond {
	return func(v *history.View) bool { return latest(v, gang).Status == status }
}

// at is what the gang's condition says at the stamp.
func at(v *history.View, gang string, s history.Stamp) history.Condition {
	g := v.Gang(gang)
	if g == nil {
		return history.Condition{}
	}
	c, _ := history.ValueAt(g.Satisfied, s)
	return c
}

// spoken puts a condition into words.
func spoken(c history.Condition) string {
	switch {
	case c.Status == "":
		return "no condition"
	case c.Reason == "":
		return c.Status
	}
	return c.Status + " (" + c.Reason + ")"
}

// object names the gang the way findings do.
func object(v *history.View, gang string) string {
	if g := v.Gang(gang); g != nil {
		return "podgroup " + g.Namespace + "/" + g.Name
	}
	return "podgroup " + gang
}
