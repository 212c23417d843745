package field

import (
	"context"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/kit"
	"muster/workloads/build"
)

// The gang refers to a Workload that nobody creates. The reference is information for people and controllers; the
// gang's own object says all a scheduler needs.
func init() {
	suites.Register(suites.Scenario{
		Name:         "workload-never-comes",
		Profile:      "gang",
		Summary:      "A gang refers to a Workload object that does not exist.",
		Requirements: []string{"FIELD-003"},
		Needs:        suites.Needs{Pools: []nodes.Pool{piecesPool}},
		Weight:       3,
		Drive: func(ctx context.Context, env suites.Env) error {
			n, err := piecesSize(env)
			if err != nil {
				return err
			}
			if err := kit.CreateGang(ctx, env, gangOfWorkload(n), kit.Members(n, "pieces", "pool")...); err != nil {
				return err
			}
			return awaitPieces(ctx, env, n)
		},
		Judge: judgePieces,
	})
}

// gangOfWorkload is the gang "pieces" made, by its own account, from the template "workers" of the Workload "plan".
func gangOfWorkload(n int) build.Gang {
	return build.Gang{Name: "pieces", Quorum: int32(n), Workload: "plan", Template: "workers"}
}
