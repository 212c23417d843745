package topology

import (
	"context"
	"fmt"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/suites/premise"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "topology-extras-wait",
		Profile:      "topology",
		Summary:      "A gang has more members than its quorum, and more than any rack takes.",
		Requirements: []string{"TAS-012", "TAS-011"},
		Needs:        needs(racks(2, 3, 1)),
		Weight:       26,
		Drive:        driveExtrasWait,
		Judge:        judgeExtrasWait,
	})
}

func driveExtrasWait(ctx context.Context, env suites.Env) error {
	env.Mark(ctx, "empty")
	if err := kit.CreateGang(ctx, env, racked(env, "g", 2), kit.Members(4, "g", mainPool)...); err != nil {
		return err
	}
	if !kit.AwaitBound(ctx, env, "quorum bound", "g", 2) {
		return ctx.Err()
	}
	return kit.Watch(ctx, env, "extras wait", "watched", 4)
}

func judgeExtrasWait(v *history.View) []suites.Finding {
	members, key := v.Members("g"), keyOf(v, "g")
	stay := kit.For(v, "TAS-012")
	_, home := whole(stay, v, "g", "quorum bound")
	_, to := stay.Watched("extras wait", "watched", 4)
	empty := stay.Mark("empty")
	stay.FitsWithin(empty, members, "", "", 4)
	stay.ShortWithin(empty, members, key, "", 4)
	in := domainsAt(v, "g", to)
	bound := v.BoundAt("g", to)

	// How many of the extras found a place is measured against the best rack there was.
	placed := kit.For(v, "TAS-011")
	_, to = placed.Watched("extras wait", "watched", 4)
	best, err := premise.RoomWithin(v, placed.Mark("empty"), members, key, "")
	placed.Premise(len(members) == 4, err, "the best rack is known")
	return []suites.Finding{
		stay.About(to, kit.Objects(bound)...).Holds(len(in) == 1 && in[0] == home,
			"%d of %d members stand in the racks %q; expected none outside %q", len(bound), len(members), in, home),
		placed.Saw(fmt.Sprintf("%d of %d that one rack takes", len(v.BoundAt("g", to)), best), "members of a gang of quorum 2 with 4 members placed in one rack"),
	}
}
