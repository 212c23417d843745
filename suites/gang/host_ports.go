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
		Name:         "gang-members-with-one-host-port",
		Profile:      "gang",
		Summary:      "All members ask for the same host port; there are as many nodes as members, each with room for several.",
		Requirements: []string{"GANG-043"},
		Needs:        needs(nodes.Pool{Name: mainPool, Count: 3, GPUs: 4}),
		Weight:       1,
		Drive:        driveHostPorts,
		Judge:        judgeHostPorts,
	})
}

func driveHostPorts(ctx context.Context, env suites.Env) error {
	n := len(env.Pool(mainPool).Nodes())
	member := kit.Member("g", mainPool)
	member.HostPorts = []int32{29500}
	env.Mark(ctx, "empty")
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: int32(n)}, build.Replicas(n, member)...); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "all bound", "g", n)
	return ctx.Err()
}

func judgeHostPorts(v *history.View) []suites.Finding {
	return judgePlaced(v, "GANG-043", "members that ask for one host port", func(onNode map[string]int) bool {
		return fullest(onNode) <= 1
	})
}
