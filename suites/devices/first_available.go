package devices

import (
	"context"
	"fmt"
	"strings"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "devices-first-available",
		Profile:      "devices",
		Summary:      "Three pods prefer a large device to a small one; there is one large and two small ones.",
		Requirements: []string{"DRA-031", "DRA-050"},
		Needs:        needs(1),
		Weight:       10,
		Drive:        driveFirstAvailable,
		Judge:        judgeFirstAvailable,
	})
}

func driveFirstAvailable(ctx context.Context, env suites.Env) error {
	node := env.Pool(mainPool).Nodes()[0]
	// The small ones come first, so that who takes the first device that does for anything takes a small one.
	if err := publish(ctx, env, onNode(env, node, memory(device("small-0"), "40Gi"), memory(device("small-1"), "40Gi"), memory(device("large"), "80Gi"))); err != nil {
		return err
	}
	name := driver(env.Namespace())
	sized := func(op, size string) string {
		return fmt.Sprintf("device.capacity[%q].memory.compareTo(quantity(%q)) %s 0", name, size, op)
	}
	request := build.FirstAvailable("r",
		build.DeviceRequest("large", name, 1, sized(">", "60Gi")),
		build.DeviceRequest("small", name, 1, sized("<", "60Gi")))
	if err := create(ctx, env, templates, build.ResourceClaimTemplate("preferring", request)); err != nil {
		return err
	}
	// One pod after the other, so that what was free when each was placed is known.
	if err := env.CreatePods(ctx, worker("first", "", made("gpu", "preferring"))); err != nil {
		return err
	}
	if !kit.AwaitMark(ctx, env, "first bound", 1, kit.PodsBound("first")) {
		return ctx.Err()
	}
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: 2}, workers(2, "g", made("gpu", "preferring"))...); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "gang bound", "g", 2)
	return ctx.Err()
}

func judgeFirstAvailable(v *history.View) []suites.Finding {
	prefers := kit.For(v, "DRA-031")
	at := prefers.Mark("first bound")
	prefers.Premise(len(supply(v, at)) == 3, nil, "three devices were published")
	first := v.Pod("first")
	got := []string{}
	if first != nil {
		got = requests(claimsOf(v, []*history.Pod{first}), at)
	}

	second := kit.For(v, "DRA-050")
	second.Premise(len(got) == 1 && got[0] == "r/large", nil, "the large device was taken first")
	then := second.Mark("gang bound")
	pods := v.BoundAt("g", then)
	theirs := requests(claimsOf(v, pods), then)
	small := 0
	for _, r := range theirs {
		if r == "r/small" {
			small++
		}
	}
	return []suites.Finding{
		prefers.About(at, "pod first").Holds(len(got) == 1 && got[0] == "r/large", "with everything free the claim was given what %s asks for; expected r/large, the first of the list", list(got)),
		second.About(then, kit.Objects(pods)...).Holds(len(pods) == 2 && small == 2, "%d of 2 members are bound, with what %s ask for; expected r/small, since the large device is taken", len(pods), list(theirs)),
	}
}

// requests are the requests that the claims' devices were given for. The scenario's devices are called after the requests
// that may have them; one that is given for another is named.
func requests(list []*history.Claim, at history.Stamp) []string {
	var out []string
	for _, c := range list {
		for _, d := range c.AllocationAt(at).Devices() {
			says := d.Request
			if !strings.HasPrefix("r/"+d.Device, d.Request) {
				says += " (by device " + d.Device + ")"
			}
			out = append(out, says)
		}
	}
	return out
}
