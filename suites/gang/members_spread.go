package gang

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "gang-members-that-spread",
		Profile:      "gang",
		Summary:      "Members spread evenly over nodes of which each could hold them all.",
		Requirements: []string{"GANG-043"},
		Needs:        needs(nodes.Pool{Name: mainPool, Count: 2, GPUs: 4}),
		Weight:       1,
		Drive:        driveMembersSpread,
		Judge:        judgeMembersSpread,
	})
}

func driveMembersSpread(ctx context.Context, env suites.Env) error {
	n := 2 * len(env.Pool(mainPool).Nodes())
	member := kit.Member("g", mainPool)
	member.Labels = map[string]string{"app": "g"}
	member.Spread = []corev1.TopologySpreadConstraint{{
		MaxSkew: 1, TopologyKey: hostname, WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: byApp("g"),
	}}
	env.Mark(ctx, "empty")
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: int32(n)}, build.Replicas(n, member)...); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "all bound", "g", n)
	return ctx.Err()
}

func judgeMembersSpread(v *history.View) []suites.Finding {
	// Two members for each node and a skew of at most one: with all of them placed, no node has a third.
	return judgePlaced(v, "GANG-043", "members that spread over the nodes with a skew of one", func(onNode map[string]int) bool {
		return fullest(onNode) <= 2
	})
}
