package field

import (
	"fmt"

	"muster/suites"
	"muster/suites/kit"
)

// slots is how many pods of shape kit.Worker the pool takes now. An error says that there are fewer than the scenario
// makes sense with, which is the place's fault and no scheduler's.
func slots(env suites.Env, pool string, atLeast int) (int, error) {
	n := env.Pool(pool).Slots(kit.Worker)
	if n < atLeast {
		return 0, fmt.Errorf("pool %s has %d free slots of 1 CPU and 1 GPU, the scenario needs %d: check that its nodes exist and are empty", pool, n, atLeast)
	}
	return n, nil
}
