package topology

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "topology-one-node",
		Profile:      "topology",
		Summary:      "A gang demands one host name and fits on a node; another is larger than any node.",
		Requirements: []string{"TAS-018", "TAS-019"},
		Needs:        needs(racks(1, 4, 2)),
		Weight:       24,
		Drive:        driveOneNode,
		Judge:        judgeOneNode,
	})
}

func driveOneNode(ctx context.Context, env suites.Env) error {
	env.Mark(ctx, "ready")
	for _, g := range []build.Gang{{Name: "small", Quorum: 2}, {Name: "large", Quorum: 3}} {
		g.TopologyKey = corev1.LabelHostname
		if err := kit.CreateGang(ctx, env, g, kit.Members(int(g.Quorum), g.Name, mainPool)...); err != nil {
			return err
		}
	}
	kit.AwaitBound(ctx, env, "small bound", "small", 2)
	return kit.Watch(ctx, env, "created", "watched", 3)
}

func judgeOneNode(v *history.View) []suites.Finding {
	small, large := v.Members("small"), v.Members("large")
	one := kit.For(v, "TAS-018")
	one.FitsWithin(one.Mark("ready"), small, corev1.LabelHostname, "", 2)

	none := kit.For(v, "TAS-019")
	from, to := none.Watched("created", "watched", 3)
	none.FitsWithin(from, large, "", "", 3)
	none.NeverRoom(from, to, large, 3)
	return []suites.Finding{
		together(one, v, "small", "small bound", 2),
		none.None("large", history.Stamp{}, to, "although no node takes its quorum"),
	}
}
