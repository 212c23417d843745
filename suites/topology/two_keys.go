package topology

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	p := racks(4, 2, 1)
	p.RacksPerZone, p.ZoneKey = 2, "unique"
	suites.Register(suites.Scenario{
		Name:         "topology-two-keys",
		Profile:      "topology",
		Summary:      "One gang demands a rack and another a zone of the same nodes.",
		Requirements: []string{"TAS-017"},
		Needs:        needs(p),
		Weight:       1,
		Drive:        driveTwoKeys,
		Judge:        judgeTwoKeys,
	})
}

func driveTwoKeys(ctx context.Context, env suites.Env) error {
	env.Mark(ctx, "ready")
	if err := kit.CreateGang(ctx, env, racked(env, "rack", 2), kit.Members(2, "rack", mainPool)...); err != nil {
		return err
	}
	zone := build.Gang{Name: "zone", Quorum: 4, TopologyKey: env.Pool(mainPool).Spec().ZoneKey}
	if err := kit.CreateGang(ctx, env, zone, kit.Members(4, "zone", mainPool)...); err != nil {
		return err
	}
	kit.AwaitMark(ctx, env, "all bound", 4, kit.All(kit.Bound("rack", 2), kit.Bound("zone", 4)))
	return ctx.Err()
}

func judgeTwoKeys(v *history.View) []suites.Finding {
	var out []suites.Finding
	for _, g := range []struct {
		name string
		n    int
	}{{"rack", 2}, {"zone", 4}} {
		c := kit.For(v, "TAS-017")
		c.FitsWithin(c.Mark("ready"), v.Members(g.name), keyOf(v, g.name), "", g.n)
		c.Premise(keyOf(v, "rack") != keyOf(v, "zone"), nil, "the gangs demand different keys")
		out = append(out, together(c, v, g.name, "all bound", g.n))
	}
	return out
}
