package field

import (
	"context"
	"fmt"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/kit"
	"muster/workloads/build"
)

// The group comes between its pods: those before it were put aside for want of a group, those after it find one that
// lacks members. Both kinds have to be counted together.
func init() {
	suites.Register(suites.Scenario{
		Name:         "gang-between-its-pods",
		Profile:      "gang",
		Summary:      "A gang's object comes after its first pod and before the others.",
		Requirements: []string{"FIELD-003"},
		Needs:        suites.Needs{Pools: []nodes.Pool{piecesPool}},
		Weight:       5,
		Drive: func(ctx context.Context, env suites.Env) error {
			n, err := piecesSize(env)
			if err != nil {
				return err
			}
			members := kit.Members(n, "pieces", "pool")
			if err := trickle(ctx, env, members[0]); err != nil {
				return err
			}
			env.Hold(ctx, "the gang is not there yet", pause)
			if err := env.CreateGang(ctx, build.Gang{Name: "pieces", Quorum: int32(n)}); err != nil {
				return fmt.Errorf("creating the gang between its pods: %w", err)
			}
			if err := trickle(ctx, env, members[1:]...); err != nil {
				return err
			}
			return awaitPieces(ctx, env, n)
		},
		Judge: judgePieces,
	})
}
