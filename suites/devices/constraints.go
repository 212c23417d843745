package devices

import (
	"context"
	"fmt"

	resourceapi "k8s.io/api/resource/v1"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "devices-constraints",
		Profile:      "devices",
		Summary:      "Members of a gang want two devices of one socket each; a pod wants the one device with much memory, another all there are.",
		Requirements: []string{"DRA-037", "DRA-038", "DRA-039"},
		Needs:        needs(2),
		Weight:       10,
		Drive:        driveConstraints,
		Judge:        judgeConstraints,
	})
}

// The sockets alternate, so that the first two free devices are never of one socket.
func driveConstraints(ctx context.Context, env suites.Env) error {
	on, name := env.Pool(mainPool).Nodes(), driver(env.Namespace())
	var devices []resourceapi.Device
	for i := range 5 {
		d := within(device(fmt.Sprintf("dev-%d", i)), "socket", int64(i%2))
		size := "40Gi"
		if i == 4 {
			size = "80Gi"
		}
		devices = append(devices, memory(d, size))
	}
	if err := publish(ctx, env, onNode(env, on[0], devices...), onNode(env, on[1], alike(3)...)); err != nil {
		return err
	}
	small := fmt.Sprintf("%[1]q in device.capacity && device.capacity[%[1]q].memory.compareTo(quantity(%[2]q)) < 0", name, "60Gi")
	pair := build.ResourceClaimTemplate("pair", some(env, 2, small))
	socket := resourceapi.FullyQualifiedName(name + "/socket")
	pair.Spec.Spec.Devices.Constraints = []resourceapi.DeviceConstraint{{Requests: []string{"r"}, MatchAttribute: &socket}}
	large := build.ResourceClaim("large", one(env, fmt.Sprintf("%[1]q in device.capacity && device.capacity[%[1]q].memory.compareTo(quantity(%[2]q)) > 0", name, "60Gi")))
	every := some(env, 0, fmt.Sprintf("!(%q in device.capacity)", name))
	every.Exactly.AllocationMode = resourceapi.DeviceAllocationModeAll
	if err := create(ctx, env, templates, pair); err != nil {
		return err
	}
	for _, c := range []*resourceapi.ResourceClaim{large, build.ResourceClaim("every", every)} {
		if err := create(ctx, env, claims, c); err != nil {
			return err
		}
	}
	// While all devices are free: with few left, one that does not look at selectors would find the right one by chance.
	if err := env.CreatePods(ctx, worker("large", "", named("gpu", "large"))); err != nil {
		return err
	}
	env.Await(ctx, "the one with much memory is taken", env.Settle(1), kit.PodsBound("large"))
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: 2}, workers(2, "g", made("gpus", "pair"))...); err != nil {
		return err
	}
	if err := env.CreatePods(ctx, worker("every", "", named("gpu", "every"))); err != nil {
		return err
	}
	kit.AwaitMark(ctx, env, "bound", 2, kit.All(kit.Bound("g", 2), kit.PodsBound("large", "every")))
	return ctx.Err()
}

func judgeConstraints(v *history.View) []suites.Finding {
	match := kit.For(v, "DRA-037")
	at, pods := standing(match, v, "g", "bound")
	devices := supply(v, at)
	match.Premise(len(devices) == 8, nil, "eight devices were published (seen: %d)", len(devices))
	used, together := claimsOf(v, pods), true
	for _, c := range used {
		mine := held(c, at)
		together = together && len(mine) == 2 && mine[0] != mine[1] && socketOf(devices, mine[0]) >= 0 && socketOf(devices, mine[0]) == socketOf(devices, mine[1])
	}

	selects := kit.For(v, "DRA-038")
	then := selects.Mark("bound")
	selects.Premise(len(devices) == 8, nil, "eight devices were published")
	large := exists(selects, v, "large")
	one := held(large, then)
	right := len(one) == 1 && devices[one[0]].Name == "dev-4"

	all := kit.For(v, "DRA-039")
	when := all.Mark("bound")
	all.Premise(len(devices) == 8, nil, "eight devices were published")
	every := exists(all, v, "every")
	whole := held(every, when)
	kind := map[string]bool{}
	for _, name := range whole {
		if socketOf(devices, name) < 0 { // those of the kind have no socket
			kind[name] = true
		}
	}
	podBound := func(name string) bool { p := v.Pod(name); return p != nil && p.BoundAt(when) }
	return []suites.Finding{
		match.About(at, objects(used)...).Holds(len(pods) == 2 && len(used) == 2 && together, "%d of 2 members are bound with the devices %s; expected two of one socket each",
			len(pods), list(heldBy(used, at))),
		selects.About(then, "resourceclaim large").Holds(podBound("large") && right, "the claim for a device with more than 60Gi holds %s; expected the one that has it", list(one)),
		all.About(when, "resourceclaim every").Holds(podBound("every") && len(whole) == 3 && len(kind) == 3, "the claim for all devices of a kind holds %s; expected all three", list(whole)),
	}
}

// socketOf is the socket that a device says it is at; -1 where it does not say, and then it matches no other.
func socketOf(devices map[string]resourceapi.Device, name string) int64 {
	a, ok := devices[name].Attributes["socket"]
	if !ok || a.IntValue == nil {
		return -1
	}
	return *a.IntValue
}
