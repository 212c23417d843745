package devices

import (
	"context"
	"encoding/json"
	"fmt"

	resourceapi "k8s.io/api/resource/v1"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/suites/kit/answer"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "devices-evicted",
		Profile:      "devices",
		Summary:      "A device that a group uses gets a taint that evicts; the driver schedules by hand.",
		Requirements: []string{"DRA-030", "DRA-046"},
		Needs:        needs(1),
		Weight:       10,
		Drive:        driveEvicted,
		Judge:        judgeEvicted,
	})
}

func driveEvicted(ctx context.Context, env suites.Env) error {
	s := onFabric(env, alike(2)...)
	if err := publish(ctx, env, s); err != nil {
		return err
	}
	for i, name := range []string{"hit", "spared"} {
		if err := claim(ctx, env, name); err != nil {
			return err
		}
		entry := named("gpu", name)
		if err := env.CreateGang(ctx, build.Gang{Name: name, Policy: build.BasicPolicy, Devices: []build.DeviceClaim{entry}}); err != nil {
			return err
		}
		pods := []string{name + "-0", name + "-1"}
		if err := env.CreatePods(ctx, handled(pods[0], name, entry), handled(pods[1], name, entry)); err != nil {
			return err
		}
		if err := allocate(ctx, env, name, env.Namespace(), fmt.Sprintf("dev-%d", i), group(ctx, env, name)); err != nil {
			return err
		}
		if err := placeAll(ctx, env, pods...); err != nil {
			return err
		}
	}
	env.Await(ctx, "all run", soon, kit.PodsBound("hit-0", "hit-1", "spared-0", "spared-1"))
	env.Hold(ctx, "the claims are known", glance)
	env.Mark(ctx, "untainted")
	devices := alike(2)
	devices[0] = tainted(devices[0], resourceapi.DeviceTaintEffectNoExecute)
	patch, err := json.Marshal(answer.Object{"spec": answer.Object{"devices": devices}})
	if err != nil {
		return fmt.Errorf("writing the taint: %w", err)
	}
	if err := env.Patch(ctx, slices, s.Name, patch); err != nil {
		return err
	}
	env.Await(ctx, "the pods are evicted", soon, kit.PodsGone("hit-0", "hit-1"))
	env.Hold(ctx, "others are evicted", glance)
	env.Mark(ctx, "tainted")
	return ctx.Err()
}

func judgeEvicted(v *history.View) []suites.Finding {
	hit := kit.For(v, "DRA-030")
	from, to := hit.Mark("untainted"), hit.Mark("tainted")
	users := kit.Named(v, "hit-0", "hit-1")
	hit.Premise(len(users) == 2 && len(kit.DisturbedBetween(users, history.Stamp{}, from)) == 0, nil, "both users of the device run before the taint")
	gone := kit.DisturbedBetween(users, from, to)

	spared := kit.For(v, "DRA-046")
	sparedFrom, sparedTo := spared.Mark("untainted"), spared.Mark("tainted")
	others := kit.Named(v, "spared-0", "spared-1")
	spared.Premise(len(others) == 2, nil, "two pods use the other device")
	return []suites.Finding{
		hit.About(to, kit.Objects(users)...).Holds(len(gone) == 2, "%d of 2 pods of the group whose device got a taint that evicts were deleted within %s", len(gone), soon),
		spared.Untouched(others, sparedFrom, sparedTo, "whose device has no taint"),
	}
}
