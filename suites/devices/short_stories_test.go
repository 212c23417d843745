package devices

import (
	"fmt"

	resourceapi "k8s.io/api/resource/v1"

	. "muster/suites/history/historytest"
)

// claiming gives each of the gang's pods a claim of its own, called after it.
func claiming(b *Builder, gang string, n int) *Builder {
	b.Pods(gang, n, UsesTemplate("gpu", "gpu"))
	for i := range n {
		b.PodClaim(fmt.Sprintf("%s-%d", gang, i), "gpu", fmt.Sprintf("%s-%d-gpu", gang, i))
	}
	return b
}

// given allocates, reserves and binds a pod with a claim of its own.
func given(b *Builder, pod, device, node string) *Builder {
	return b.Allocate(pod+"-gpu", device).Reserve(pod+"-gpu", "pod:"+pod).Bind(pod, node)
}

func shortStories() []story {
	tooFew := func(n int) *Builder {
		return claiming(equipped(New().Nodes(2), "node-0", alike(n)...).Gang("g", 3), "g", 3).Mark("one too few")
	}
	more := func(b *Builder) *Builder {
		equipped(b.Hold("watch", settled).Mark("watched"), "node-1", alike(1)...)
		return given(given(given(b, "g-0", "node-0/dev-0", "node-0"), "g-1", "node-0/dev-1", "node-0"), "g-2", "node-1/dev-0", "node-1")
	}
	out := []story{
		{"devices-too-few", "waits, then bound", more(tooFew(2)).Mark("one more"), verdicts{"DRA-019": pass, "DRA-010": pass, "DRA-032": pass}},
		{"devices-too-few", "bound in part", given(tooFew(2), "g-0", "node-0/dev-0", "node-0").Hold("watch", settled).Mark("watched"), verdicts{"DRA-019": fail, "DRA-010": unclear}},
		{"devices-too-few", "devices kept", tooFew(2).Allocate("g-0-gpu", "node-0/dev-0").Hold("watch", settled).Mark("watched"), verdicts{"DRA-019": pass, "DRA-010": fail}},
		{"devices-too-few", "enough from the start", tooFew(3).Hold("watch", settled).Mark("watched"), verdicts{"DRA-019": unclear, "DRA-010": unclear}},
		{"devices-too-few", "not woken", equipped(tooFew(2).Hold("watch", settled).Mark("watched"), "node-1", alike(1)...).Wait(settled).Mark("one more"), verdicts{"DRA-032": fail}},
		{"devices-too-few", "not watched for long enough", tooFew(2).Mark("watched"), verdicts{"DRA-019": unclear}},
	}
	local := func() *Builder {
		b := New().Nodes(2, Has("cpu=2"))
		equipped(equipped(b, "node-0", alike(2)...), "node-1", alike(2)...)
		return b.Claim("large").Claim("pair").Gang("large", 3).Pods("large", 3, UsesClaim("local", "large")).Mark("too large")
	}
	pair := func(b *Builder) *Builder {
		return b.Gang("pair", 2).Pods("pair", 2, UsesClaim("local", "pair")).AllocateOn("node-0", "pair", "node-0/dev-0").Reserve("pair", "gang:pair")
	}
	watched := func(b *Builder) *Builder { return b.Hold("watch", settled).Mark("watched") }
	return append(append(out,
		story{"devices-node-local", "one waits, one stands together", pair(watched(local())).BindAll("node-0", "pair-0", "pair-1").Mark("pair bound"), verdicts{"DRA-041": pass, "DRA-011": pass}},
		story{"devices-node-local", "over two nodes", watched(local().BindAll("node-0", "large-0", "large-1").Bind("large-2", "node-1")), verdicts{"DRA-041": fail}},
		story{"devices-node-local", "away from the device", pair(watched(local())).Bind("pair-0", "node-0").Bind("pair-1", "node-1").Mark("pair bound"), verdicts{"DRA-011": fail}},
		story{"devices-node-local", "room for all on one node", equipped(New().Nodes(1, Has("cpu=4")), "node-0", alike(1)...).Claim("large").Gang("large", 3).
			Pods("large", 3, UsesClaim("local", "large")).Mark("too large").Hold("watch", settled).Mark("watched"), verdicts{"DRA-041": unclear}},
	), taintStories()...)
}

func taintStories() []story {
	worn := func(effect resourceapi.DeviceTaintEffect) []resourceapi.Device {
		out := alike(2)
		for i := range out {
			out[i] = tainted(out[i], effect)
		}
		return out
	}
	tell := func(devices []resourceapi.Device) *Builder {
		b := equipped(New().Nodes(1), fabric, devices...).Claim("strict").Claim("tolerant").Gang("strict", 2).Gang("tolerant", 2)
		return b.Pods("strict", 2, UsesClaim("gpu", "strict")).Pods("tolerant", 2, UsesClaim("gpu", "tolerant"))
	}
	ok := func(b *Builder) *Builder {
		return b.Allocate("tolerant", "test/dev-0").Reserve("tolerant", "gang:tolerant").BindAll("node-0", "tolerant-0", "tolerant-1").Mark("tolerant bound")
	}
	watched := func(b *Builder) *Builder {
		return b.Mark("only tainted devices").Hold("watch", settled).Mark("watched")
	}
	strict := func(b *Builder) *Builder {
		return b.Allocate("strict", "test/dev-1").Reserve("strict", "gang:strict").BindAll("node-0", "strict-0", "strict-1")
	}
	return []story{
		{"devices-tainted", "only the tolerant", watched(ok(tell(worn("NoSchedule")))), verdicts{"DRA-017": pass, "DRA-029": pass}},
		{"devices-tainted", "both", watched(strict(ok(tell(worn("NoSchedule"))))), verdicts{"DRA-017": fail, "DRA-029": pass}},
		{"devices-tainted", "neither", watched(tell(worn("NoSchedule")).Mark("tolerant bound")), verdicts{"DRA-017": pass, "DRA-029": fail}},
		{"devices-tainted", "a device without a taint", watched(ok(tell(alike(2)))), verdicts{"DRA-017": unclear}},
	}
}
