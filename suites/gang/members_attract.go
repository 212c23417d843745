package gang

import (
	"context"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "gang-members-that-attract",
		Profile:      "gang",
		Summary:      "Members demand to share a node with each other; each node could hold them all.",
		Requirements: []string{"GANG-043"},
		Needs:        needs(nodes.Pool{Name: mainPool, Count: 3, GPUs: 4}),
		Weight:       1,
		Drive:        driveMembersAttract,
		Judge:        judgeMembersAttract,
	})
}

func driveMembersAttract(ctx context.Context, env suites.Env) error {
	const n = 3
	member := kit.Member("g", mainPool)
	member.Labels = map[string]string{"app": "g"}
	member.Affinity = together("g", hostname)
	env.Mark(ctx, "empty")
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: n}, build.Replicas(n, member)...); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "all bound", "g", n)
	return ctx.Err()
}

func judgeMembersAttract(v *history.View) []suites.Finding {
	return judgePlaced(v, "GANG-043", "members that have to share a node", func(onNode map[string]int) bool {
		return len(onNode) <= 1
	})
}
