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
		Name:         "devices-tainted",
		Profile:      "devices",
		Summary:      "The only devices are tainted; one gang's claim tolerates the taint, the other's does not.",
		Requirements: []string{"DRA-017", "DRA-029"},
		Needs:        needs(1),
		Weight:       26,
		Drive:        driveTainted,
		Judge:        judgeTainted,
	})
}

// taintKey of the devices of this folder's scenarios.
const taintKey = "muster.dev/worn"

func tainted(d resourceapi.Device, effect resourceapi.DeviceTaintEffect) resourceapi.Device {
	d.Taints = []resourceapi.DeviceTaint{{Key: taintKey, Value: "yes", Effect: effect}}
	return d
}

func driveTainted(ctx context.Context, env suites.Env) error {
	worn := alike(2)
	for i := range worn {
		worn[i] = tainted(worn[i], resourceapi.DeviceTaintEffectNoSchedule)
	}
	if err := publish(ctx, env, onFabric(env, worn...)); err != nil {
		return err
	}
	if err := claim(ctx, env, "strict"); err != nil {
		return err
	}
	request := one(env)
	request.Exactly.Tolerations = []resourceapi.DeviceToleration{{
		Key: taintKey, Operator: resourceapi.DeviceTolerationOpExists, Effect: resourceapi.DeviceTaintEffectNoSchedule,
	}}
	if err := create(ctx, env, claims, build.ResourceClaim("tolerant", request)); err != nil {
		return err
	}
	for _, g := range []string{"strict", "tolerant"} {
		entry := named("gpu", g)
		if err := kit.CreateGang(ctx, env, build.Gang{Name: g, Quorum: 2, Devices: []build.DeviceClaim{entry}}, workers(2, g, entry)...); err != nil {
			return err
		}
	}
	kit.AwaitBound(ctx, env, "tolerant bound", "tolerant", 2)
	if err := ctx.Err(); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "only tainted devices", "watched", 2)
}

func judgeTainted(v *history.View) []suites.Finding {
	none := kit.For(v, "DRA-017")
	_, to := none.Watched("only tainted devices", "watched", 2)
	none.Exist("strict", 2)
	free, clean := 0, 0
	for _, d := range supply(v, to) {
		free++
		if len(d.Taints) == 0 {
			clean++
		}
	}
	none.Premise(free == 2 && clean == 0, nil, "there are two devices, both tainted")

	some := kit.For(v, "DRA-029")
	at, pods := standing(some, v, "tolerant", "tolerant bound")
	c := exists(some, v, "tolerant")
	return []suites.Finding{
		none.None("strict", history.Stamp{}, to, "although every device has a taint that its claim does not tolerate"),
		some.About(at, "resourceclaim tolerant").Holds(len(pods) == 2 && len(held(c, at)) == 1,
			"%d of 2 members of the gang whose claim tolerates the taint are bound, and it holds %s", len(pods), list(held(c, at))),
	}
}
