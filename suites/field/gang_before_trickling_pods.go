package field

import (
	"context"
	"fmt"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/kit"
	"muster/workloads/build"
)

// The group is there at once and the pods come slowly, as they do from a controller that is throttled.
func init() {
	suites.Register(suites.Scenario{
		Name:         "gang-before-trickling-pods",
		Profile:      "gang",
		Summary:      "A gang's object exists and its pods come one by one.",
		Requirements: []string{"FIELD-003"},
		Needs:        suites.Needs{Pools: []nodes.Pool{piecesPool}},
		Weight:       5,
		Drive: func(ctx context.Context, env suites.Env) error {
			n, err := piecesSize(env)
			if err != nil {
				return err
			}
			if err := env.CreateGang(ctx, build.Gang{Name: "pieces", Quorum: int32(n)}); err != nil {
				return fmt.Errorf("creating the gang before its pods: %w", err)
			}
			if err := trickle(ctx, env, kit.Members(n, "pieces", "pool")...); err != nil {
				return err
			}
			return awaitPieces(ctx, env, n)
		},
		Judge: judgePieces,
	})
}
