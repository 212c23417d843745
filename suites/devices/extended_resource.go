package devices

import (
	"context"
	"fmt"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "devices-extended-resource",
		Profile:      "devices",
		Summary:      "Gangs ask for an extended resource that a device class serves; one asks for more than there is.",
		Requirements: []string{"DRA-018", "DRA-049"},
		Needs:        needs(1),
		Weight:       32,
		Drive:        driveExtendedResource,
		Judge:        judgeExtendedResource,
	})
}

// extended is the extended resource that the scenario's class serves.
func extended(namespace string) string { return driver(namespace) + "/gpu" }

func driveExtendedResource(ctx context.Context, env suites.Env) error {
	node := env.Pool(mainPool).Nodes()[0]
	name := driver(env.Namespace())
	class := build.DeviceClass(name+".served", extended(env.Namespace()), fmt.Sprintf("device.driver == %q", name))
	if err := create(ctx, env, classes, class); err != nil {
		return err
	}
	if err := publish(ctx, env, onNode(env, node, alike(2)...)); err != nil {
		return err
	}
	asking := func(n int, gang string) []build.Pod {
		pods := workers(n, gang)
		for i := range pods {
			pods[i].GPUs, pods[i].GPUResource = 1, extended(env.Namespace())
		}
		return pods
	}
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "large", Quorum: 3}, asking(3, "large")...); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "one too few", "watched", 3); err != nil {
		return err
	}
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "pair", Quorum: 2}, asking(2, "pair")...); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "pair bound", "pair", 2)
	return ctx.Err()
}

func judgeExtendedResource(v *history.View) []suites.Finding {
	none := kit.For(v, "DRA-049")
	_, to := none.Watched("one too few", "watched", 3)
	none.Exist("large", 3)
	none.Premise(len(supply(v, to)) == 2, nil, "there are two devices")

	served := kit.For(v, "DRA-018")
	at, pods := standing(served, v, "pair", "pair bound")
	served.Premise(len(supply(v, at)) == 2, nil, "there are two devices")
	used := claimsOf(v, pods)
	own := true
	for _, c := range used {
		own = own && len(held(c, at)) == 1 && len(c.ReservedAt(at)) == 1
	}
	return []suites.Finding{
		none.None("large", history.Stamp{}, to, "although there were devices for two of three"),
		served.About(at, kit.Objects(pods)...).Holds(len(pods) == 2 && len(used) == 2 && own,
			"%d of 2 members are bound, with the devices %s; expected one for each", len(pods), list(heldBy(used, at))),
	}
}
