package field

import (
	"context"

	"muster/fakes/nodes"
	"muster/suites"
)

// Three gangs that each need a little more than half of the pool: while one runs, nearly half of the pool is free and
// tempts those that wait. The second round is the one that is watched for the settle bound: the first one follows at
// once, and a third would find nobody waiting.
func init() {
	const held = 2
	suites.Register(suites.Scenario{
		Name:         "three-gangs-of-six-on-ten-slots",
		Profile:      "gang",
		Summary:      "Three gangs of just over half the pool arrive with their pods interleaved; each is deleted once complete.",
		Requirements: []string{"FIELD-001"},
		Needs:        suites.Needs{Pools: []nodes.Pool{{Name: "pool", Count: 5, GPUs: 2}}},
		Weight:       60,
		Drive: func(ctx context.Context, env suites.Env) error {
			n, err := slots(env, "pool", 4)
			if err != nil {
				return err
			}
			return takeTurns(ctx, env, []string{"red", "green", "blue"}, n/2+1, held)
		},
		Judge: judgeTurns("FIELD-001", held, "red", "green", "blue"),
	})
}
