package devices

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "devices-group-claim",
		Profile:      "devices",
		Summary:      "The members of a gang share its claim by name, and another claim that is not the gang's.",
		Requirements: []string{"DRA-001", "DRA-003", "DRA-009"},
		Needs:        needs(2),
		Weight:       10,
		Drive:        driveGroupClaim,
		Judge:        judgeGroupClaim,
	})
}

// The gang lists one of two claims. Its members use that one under the gang's entry, and under another name; and the other
// claim under an entry that the gang does not have.
func driveGroupClaim(ctx context.Context, env suites.Env) error {
	if err := publish(ctx, env, onFabric(env, alike(3)...)); err != nil {
		return err
	}
	for _, name := range []string{"shared", "renamed", "aside"} {
		if err := claim(ctx, env, name); err != nil {
			return err
		}
	}
	g := build.Gang{Name: "g", Quorum: 4, Devices: []build.DeviceClaim{named("fabric", "shared"), named("alias", "renamed")}}
	if err := kit.CreateGang(ctx, env, g, workers(4, "g", named("fabric", "shared"), named("other", "renamed"), named("aside", "aside"))...); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "bound", "g", 4)
	return ctx.Err()
}

func judgeGroupClaim(v *history.View) []suites.Finding {
	shared := kit.For(v, "DRA-001")
	at, members := standing(shared, v, "g", "bound")
	c := exists(shared, v, "shared")

	apart := kit.For(v, "DRA-003")
	apartAt, pods := bound(apart, v, "g", "bound", 4)
	wrong := []string{}
	for _, name := range []string{"renamed", "aside"} {
		own := exists(apart, v, name)
		if own == nil {
			continue
		}
		if len(own.ReservedAt(apartAt)) != len(pods) {
			wrong = append(wrong, name)
			continue
		}
		for _, p := range pods {
			if !own.ReservedFor(apartAt, history.ConsumerPods, p.UID) {
				wrong = append(wrong, name)
				break
			}
		}
	}

	once := kit.For(v, "DRA-009")
	onceAt, _ := bound(once, v, "g", "bound", 4)
	oc := exists(once, v, "shared")
	writes := 0
	if oc != nil {
		writes = len(history.Between(oc.Allocated, history.Stamp{}, onceAt))
	}
	return []suites.Finding{
		shared.About(at, "resourceclaim shared").Holds(len(members) == 4 && forGroup(v, c, "g", at),
			"%d of 4 members are bound, and claim shared is reserved for %s; expected all, and the group g alone", len(members), list(who(c, at))),
		apart.About(apartAt).Holds(len(wrong) == 0, "claims that match no entry of the group are reserved for its %d pods; not so: %s", len(pods), list(wrong)),
		once.About(onceAt, "resourceclaim shared").Holds(writes == 1 && len(held(oc, onceAt)) == 1,
			"claim shared was given devices %d times and holds %s; expected one device, given once", writes, list(held(oc, onceAt))),
	}
}
