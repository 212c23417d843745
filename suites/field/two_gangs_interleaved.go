package field

import (
	"context"

	"muster/fakes/nodes"
	"muster/suites"
)

// Two gangs that each need the whole pool arrive pod by pod in turn. A scheduler that binds members as they come
// gives each of them half and is stuck for ever.
func init() {
	suites.Register(suites.Scenario{
		Name:         "two-gangs-of-pool-size-interleaved",
		Profile:      "gang",
		Summary:      "Two gangs, each as large as the pool, arrive with their pods interleaved; the first to complete is deleted.",
		Requirements: []string{"FIELD-001"},
		Needs:        suites.Needs{Pools: []nodes.Pool{{Name: "pool", Count: 3, GPUs: 2}}},
		Weight:       6,
		Drive: func(ctx context.Context, env suites.Env) error {
			n, err := slots(env, "pool", 2)
			if err != nil {
				return err
			}
			return takeTurns(ctx, env, []string{"red", "blue"}, n, 0)
		},
		Judge: judgeTurns("FIELD-001", 0, "red", "blue"),
	})
}
