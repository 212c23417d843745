package devices

import (
	"context"

	resourceapi "k8s.io/api/resource/v1"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "devices-many-members",
		Profile:      "devices",
		Summary:      "More members share the claim of their gang than a claim can have reservations.",
		Requirements: []string{"DRA-002"},
		Needs:        needs(3),
		// A scheduler may think about so many members and their claim for longer than others can be left waiting: stock's
		// time grows with the square of their number, half a minute on a small machine that is busy.
		Isolation: suites.Exclusive,
		Weight:    30,
		Drive:     driveManyMembers,
		Judge:     judgeManyMembers,
	})
}

// crowd is a little more than a claim's reservedFor holds.
const crowd = resourceapi.ResourceClaimReservedForMaxSize + 4

func driveManyMembers(ctx context.Context, env suites.Env) error {
	if err := publish(ctx, env, onFabric(env, alike(1)...)); err != nil {
		return err
	}
	if err := claim(ctx, env, "shared"); err != nil {
		return err
	}
	entry := named("fabric", "shared")
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: crowd, Devices: []build.DeviceClaim{entry}}, workers(crowd, "g", entry)...); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "bound", "g", crowd)
	return ctx.Err()
}

func judgeManyMembers(v *history.View) []suites.Finding {
	c := kit.For(v, "DRA-002")
	members := v.Members("g")
	c.Premise(len(members) == crowd, nil, "the gang has %d members (seen: %d)", crowd, len(members))
	at, pods := standing(c, v, "g", "bound")
	shared := exists(c, v, "shared")
	return []suites.Finding{
		c.About(at, "resourceclaim shared").Holds(len(pods) == crowd && len(held(shared, at)) == 1 && forGroup(v, shared, "g", at),
			"%d of %d members are bound, and the claim they share is reserved for %s; expected all, and the group alone", len(pods), crowd, list(who(shared, at))),
	}
}
