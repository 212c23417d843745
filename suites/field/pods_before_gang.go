package field

import (
	"context"
	"fmt"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/kit"
	"muster/workloads/build"
)

// A controller creates the pods first and the group when it gets to it.
func init() {
	suites.Register(suites.Scenario{
		Name:         "pods-before-their-gang",
		Profile:      "gang",
		Summary:      "All pods of a gang exist before its object does.",
		Requirements: []string{"FIELD-003"},
		Needs:        suites.Needs{Pools: []nodes.Pool{piecesPool}},
		Weight:       5,
		Drive: func(ctx context.Context, env suites.Env) error {
			n, err := piecesSize(env)
			if err != nil {
				return err
			}
			if err := trickle(ctx, env, kit.Members(n, "pieces", "pool")...); err != nil {
				return err
			}
			env.Hold(ctx, "the gang is not there yet", pause)
			if err := env.CreateGang(ctx, build.Gang{Name: "pieces", Quorum: int32(n)}); err != nil {
				return fmt.Errorf("creating the gang after its pods: %w", err)
			}
			return awaitPieces(ctx, env, n)
		},
		Judge: judgePieces,
	})
}
