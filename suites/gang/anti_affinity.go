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
		Name:         "gang-anti-affinity-one-each",
		Profile:      "gang",
		Summary:      "Members refuse to share a node; there are as many nodes as members, each with room for several.",
		Requirements: []string{"GANG-040"},
		Needs:        needs(nodes.Pool{Name: mainPool, Count: 3, GPUs: 4}),
		Weight:       1,
		Drive:        driveAntiAffinity,
		Judge:        judgeAntiAffinity,
	})
}

// hostname is the node label every node carries its own value of.
const hostname = "kubernetes.io/hostname"

func driveAntiAffinity(ctx context.Context, env suites.Env) error {
	n := len(env.Pool(mainPool).Nodes())
	member := kit.Member("g", mainPool)
	member.Labels = map[string]string{"app": "g"}
	member.Affinity = apart("g", hostname)
	env.Mark(ctx, "empty")
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: int32(n)}, build.Replicas(n, member)...); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "all bound", "g", n)
	return ctx.Err()
}

func judgeAntiAffinity(v *history.View) []suites.Finding {
	return judgePlaced(v, "GANG-040", "members that keep each other off their nodes", func(onNode map[string]int) bool {
		return fullest(onNode) <= 1
	})
}
