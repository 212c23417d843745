package topology

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "topology-key-nobody-has",
		Profile:      "topology",
		Summary:      "A gang demands one value of a label that no node has.",
		Requirements: []string{"TAS-005"},
		Needs:        needs(racks(1, 2, 1)),
		Weight:       20,
		Drive:        driveKeyNobodyHas,
		Judge:        judgeKeyNobodyHas,
	})
}

func driveKeyNobodyHas(ctx context.Context, env suites.Env) error {
	g := build.Gang{Name: "g", Quorum: 2, TopologyKey: rackKey(env) + "-of-nobody"}
	if err := kit.CreateGang(ctx, env, g, kit.Members(2, "g", mainPool)...); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "created", "watched", 2)
}

func judgeKeyNobodyHas(v *history.View) []suites.Finding {
	members := v.Members("g")
	c := kit.For(v, "TAS-005")
	from, to := c.Watched("created", "watched", 2)
	c.FitsWithin(from, members, "", "", 2)
	c.NeverRoom(from, to, members, 1)
	return []suites.Finding{c.None("g", history.Stamp{}, to, "although no node has the label it demands")}
}
