package topology

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "topology-members-pinned-apart",
		Profile:      "topology",
		Summary:      "The members of a gang select nodes of different racks themselves.",
		Requirements: []string{"TAS-022"},
		Needs:        needs(racks(2, 1, 1)),
		Weight:       20,
		Drive:        drivePinnedApart,
		Judge:        judgePinnedApart,
	})
}

func drivePinnedApart(ctx context.Context, env suites.Env) error {
	members := kit.Members(2, "g", mainPool)
	for i := range members {
		members[i].NodeSelector = map[string]string{corev1.LabelHostname: rack(env, i)[0]}
	}
	if err := kit.CreateGang(ctx, env, racked(env, "g", 2), members...); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "created", "watched", 2)
}

func judgePinnedApart(v *history.View) []suites.Finding {
	members := v.Members("g")
	c := kit.For(v, "TAS-022")
	from, to := c.Watched("created", "watched", 2)
	c.FitsWithin(from, members, "", "", 2)
	c.NeverRoom(from, to, members, 2)
	return []suites.Finding{c.None("g", history.Stamp{}, to, "although its members select nodes of different racks")}
}
