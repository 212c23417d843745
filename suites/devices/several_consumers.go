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
		Name:         "devices-several-consumers",
		Profile:      "devices",
		Summary:      "Two gangs and a plain pod use one claim by name.",
		Requirements: []string{"DRA-016"},
		Needs:        needs(2),
		Weight:       8,
		Drive:        driveSeveralConsumers,
		Judge:        judgeSeveralConsumers,
	})
}

func driveSeveralConsumers(ctx context.Context, env suites.Env) error {
	if err := publish(ctx, env, onFabric(env, alike(1)...)); err != nil {
		return err
	}
	if err := claim(ctx, env, "shared"); err != nil {
		return err
	}
	entry := named("fabric", "shared")
	for _, g := range []string{"one", "two"} {
		if err := kit.CreateGang(ctx, env, build.Gang{Name: g, Quorum: 2, Devices: []build.DeviceClaim{entry}}, workers(2, g, entry)...); err != nil {
			return err
		}
	}
	if err := env.CreatePods(ctx, worker("plain", "", entry)); err != nil {
		return err
	}
	kit.AwaitMark(ctx, env, "all bound", 2, kit.All(kit.Bound("one", 2), kit.Bound("two", 2), kit.PodsBound("plain")))
	return ctx.Err()
}

func judgeSeveralConsumers(v *history.View) []suites.Finding {
	c := kit.For(v, "DRA-016")
	at := c.Mark("all bound")
	shared := exists(c, v, "shared")
	one, two, plain := v.Gang("one"), v.Gang("two"), v.Pod("plain")
	c.Premise(one != nil && two != nil && plain != nil, nil, "the gangs and the pod were seen")
	ok := shared != nil && one != nil && two != nil && plain != nil && !at.IsZero()
	if ok {
		ok = len(v.BoundAt("one", at)) == 2 && len(v.BoundAt("two", at)) == 2 && plain.BoundAt(at) && len(shared.ReservedAt(at)) == 3 &&
			shared.ReservedFor(at, history.ConsumerGroups, one.UID) && shared.ReservedFor(at, history.ConsumerGroups, two.UID) &&
			shared.ReservedFor(at, history.ConsumerPods, plain.UID)
	}
	return []suites.Finding{c.About(at, "resourceclaim shared").Holds(ok,
		"claim shared is reserved for %s; expected the groups one and two and the pod plain, all of them bound", list(who(shared, at)))}
}
