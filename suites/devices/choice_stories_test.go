package devices

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"

	. "muster/suites/history/historytest"
)

func choiceStories() []story {
	return append(append(append(firstAvailableStories(), partitionStories()...), constraintStories()...), preemptionStories()...)
}

func firstAvailableStories() []story {
	tell := func(first string, gang ...string) *Builder {
		b := equipped(New().Nodes(1), "node-0", device("small-0"), device("small-1"), device("large"))
		b.Pod("first", "", UsesTemplate("gpu", "preferring")).PodClaim("first", "gpu", "first-gpu")
		given(b, "first", first, "node-0").Mark("first bound")
		claiming(b.Gang("g", 2), "g", 2)
		for i, d := range gang {
			given(b, fmt.Sprintf("g-%d", i), d, "node-0")
		}
		return b.Mark("gang bound")
	}
	return []story{
		{"devices-first-available", "in order", tell("r/large=node-0/large", "r/small=node-0/small-0", "r/small=node-0/small-1"), verdicts{"DRA-031": pass, "DRA-050": pass}},
		{"devices-first-available", "the second at once", tell("r/small=node-0/small-0"), verdicts{"DRA-031": fail, "DRA-050": unclear}},
		{"devices-first-available", "called the first, and not it", tell("r/large=node-0/small-0"), verdicts{"DRA-031": fail, "DRA-050": unclear}},
		{"devices-first-available", "called the second, and not it", tell("r/large=node-0/large", "r/small=node-0/small-0", "r/small=node-0/large"), verdicts{"DRA-050": fail}},
		{"devices-first-available", "never the second", tell("r/large=node-0/large"), verdicts{"DRA-031": pass, "DRA-050": fail}},
		{"devices-first-available", "the first for all", tell("r/large=node-0/large", "r/large=node-0/small-0", "r/small=node-0/small-1"), verdicts{"DRA-050": fail}},
	}
}

func partitionStories() []story {
	start := func() *Builder {
		b := equipped(New().Nodes(1), "node-0", partition("whole", wholeSize), partition("half-0", wholeSize/2), partition("half-1", wholeSize/2))
		claiming(b.Gang("halves", 2), "halves", 2)
		given(given(b, "halves-0", "node-0/half-0", "node-0"), "halves-1", "node-0/half-1", "node-0").Mark("halves bound")
		return b.Pod("whole", "", UsesTemplate("gpu", "whole")).PodClaim("whole", "gpu", "whole-gpu").Mark("both halves taken").Hold("watch", settled)
	}
	free := func(b *Builder) *Builder {
		return b.Mark("watched").Gone("halves-0", "halves-1").ClaimGone("halves-0-gpu").ClaimGone("halves-1-gpu")
	}
	return []story{
		{"devices-partitions", "one after the other", given(free(start()), "whole", "node-0/whole", "node-0").Mark("whole bound"), verdicts{"DRA-025": pass, "DRA-047": pass}},
		{"devices-partitions", "both at once", free(given(start(), "whole", "node-0/whole", "node-0")).Mark("whole bound"), verdicts{"DRA-025": fail}},
		{"devices-partitions", "never whole", free(start()).Mark("whole bound"), verdicts{"DRA-025": pass, "DRA-047": fail}},
		{"devices-partitions", "the halves were not taken", equipped(New().Nodes(1), "node-0", partition("whole", wholeSize)).Mark("both halves taken").Hold("watch", settled).
			Mark("watched").Mark("whole bound"), verdicts{"DRA-025": unclear, "DRA-047": unclear}},
	}
}

func constraintStories() []story {
	var devices []resourceapi.Device
	for i := range 5 {
		devices = append(devices, within(device(fmt.Sprintf("dev-%d", i)), "socket", int64(i%2)))
	}
	tell := func(first, second []string, large string, every ...string) *Builder {
		b := equipped(equipped(New().Nodes(2), "node-0", devices...), "node-1", alike(3)...)
		claiming(b.Gang("g", 2), "g", 2).Claim("large").Claim("every").Pod("large", "", UsesClaim("gpu", "large")).Pod("every", "", UsesClaim("gpu", "every"))
		for _, to := range []struct {
			pod, claim, node string
			devices          []string
		}{{"g-0", "g-0-gpu", "node-0", first}, {"g-1", "g-1-gpu", "node-0", second}, {"large", "large", "node-0", []string{large}}, {"every", "every", "node-1", every}} {
			b.Allocate(to.claim, to.devices...).Reserve(to.claim, "pod:"+to.pod).Bind(to.pod, to.node)
		}
		return b.Mark("bound")
	}
	even, odd := []string{"node-0/dev-0", "node-0/dev-2"}, []string{"node-0/dev-1", "node-0/dev-3"}
	all := []string{"node-1/dev-0", "node-1/dev-1", "node-1/dev-2"}
	return []story{
		{"devices-constraints", "all met", tell(even, odd, "node-0/dev-4", all...), verdicts{"DRA-037": pass, "DRA-038": pass, "DRA-039": pass}},
		{"devices-constraints", "sockets mixed", tell([]string{"node-0/dev-0", "node-0/dev-1"}, []string{"node-0/dev-2", "node-0/dev-3"}, "node-0/dev-4", all...), verdicts{"DRA-037": fail}},
		{"devices-constraints", "too little memory", tell(even, odd, "node-0/dev-3", all...), verdicts{"DRA-037": pass, "DRA-038": fail}},
		{"devices-constraints", "no sockets at all", tell([]string{"node-1/dev-0", "node-1/dev-1"}, odd, "node-0/dev-4", all...), verdicts{"DRA-037": fail}},
		{"devices-constraints", "one device twice", tell([]string{"node-0/dev-0", "node-0/dev-0"}, odd, "node-0/dev-4", all...), verdicts{"DRA-037": fail}},
		{"devices-constraints", "three of another kind", tell(even, odd, "node-0/dev-4", "node-0/dev-0", "node-0/dev-1", "node-0/dev-2"), verdicts{"DRA-039": fail}},
		{"devices-constraints", "two of three", tell(even, odd, "node-0/dev-4", all[:2]...), verdicts{"DRA-039": fail}},
	}
}

func preemptionStories() []story {
	start := func() *Builder {
		b := equipped(New().Nodes(1), "node-0", alike(2)...)
		for i := range 2 {
			name := fmt.Sprintf("low-%d", i)
			b.Pod(name, "", UsesTemplate("gpu", "gpu"), Priority(10)).PodClaim(name, "gpu", name+"-gpu")
			given(b, name, fmt.Sprintf("node-0/dev-%d", i), "node-0")
		}
		return claiming(b.Mark("devices taken").Gang("high", 2, GangPriority(1000)), "high", 2)
	}
	return []story{
		{"devices-preemption", "nothing happens", start().Mark("watched"), verdicts{"DRA-021": seen}},
		{"devices-preemption", "evicted", start().Evict("low-0", "low-1").Mark("watched"), verdicts{"DRA-021": seen}},
		{"devices-preemption", "nothing was taken", equipped(New().Nodes(1), "node-0", alike(2)...).Mark("devices taken").Mark("watched"), verdicts{"DRA-021": unclear}},
	}
}

func servedStories() []story {
	// implied makes the claim of a pod's extended resources, as a scheduler does.
	implied := func(b *Builder, pod, device string) *Builder {
		claim := pod + "-implied"
		b.Claim(claim).Allocate(claim, device).Reserve(claim, "pod:"+pod)
		b.ChangePod(pod, func(p *corev1.Pod) {
			p.Status.ExtendedResourceClaimStatus = &corev1.PodExtendedResourceClaimStatus{ResourceClaimName: claim,
				RequestMappings: []corev1.ContainerExtendedResourceRequest{{ContainerName: p.Spec.Containers[0].Name, ResourceName: "x.dev/gpu", RequestName: "r"}}}
		})
		return b.Bind(pod, "node-0")
	}
	start := func() *Builder {
		return equipped(New().Nodes(1), "node-0", alike(2)...).Gang("large", 3).Pods("large", 3, Wants("x.dev/gpu=1")).Mark("one too few")
	}
	pair := func(b *Builder) *Builder {
		return b.Hold("watch", settled).Mark("watched").Gang("pair", 2).Pods("pair", 2, Wants("x.dev/gpu=1"))
	}
	rack := func(nodes ...string) *Builder {
		b := New()
		for i, name := range []string{"a", "a", "b", "b"} {
			b.Node(fmt.Sprintf("node-%d", i), NodeLabel("rack", name))
		}
		equipped(equipped(equipped(b, "node-0", alike(1)...), "node-2", alike(1)...), "node-3", alike(2)...)
		claiming(b.Gang("g", 2, OneDomain("rack")), "g", 2)
		for i, n := range nodes {
			given(b, fmt.Sprintf("g-%d", i), n+"/dev-0", n)
		}
		return b.Mark("bound")
	}
	return append([]story{
		{"devices-extended-resource", "one waits, one is served", implied(implied(pair(start()), "pair-0", "node-0/dev-0"), "pair-1", "node-0/dev-1").Mark("pair bound"),
			verdicts{"DRA-049": pass, "DRA-018": pass}},
		{"devices-extended-resource", "bound in part", pair(implied(start(), "large-0", "node-0/dev-0")).Mark("pair bound"), verdicts{"DRA-049": fail, "DRA-018": fail}},
		{"devices-extended-resource", "bound without devices", pair(start()).BindAll("node-0", "pair-0", "pair-1").Mark("pair bound"), verdicts{"DRA-018": fail}},
		{"devices-one-rack", "where the devices are", rack("node-2", "node-3"), verdicts{"DRA-026": pass}},
		{"devices-one-rack", "nowhere", rack(), verdicts{"DRA-026": fail}},
		{"devices-one-rack", "over two racks", rack("node-0", "node-2"), verdicts{"DRA-026": fail}},
	}, append(otherRackStories(), burstStories()...)...)
}

func otherRackStories() []story {
	// left is a gang that has lost its members and kept its device, whose rack has room for so many pods and one.
	left := func(free int) *Builder {
		b := New().Node("node-0", NodeLabel("rack", "a"), Has(fmt.Sprintf("cpu=%d", 1+free))).Node("node-1", NodeLabel("rack", "b"), Has("cpu=2"))
		equipped(b, "node-0", alike(1)...).Claim("shared").Gang("g", 2, OneDomain("rack")).Pods("g", 2, UsesClaim("gpu", "shared"))
		b.AllocateOn("node-0", "shared", "node-0/dev-0").Reserve("shared", "gang:g").BindAll("node-0", "g-0", "g-1").Mark("bound").Gone("g-0", "g-1")
		return equipped(b.Pod("filler", "", Placed("node-0")), "node-1", alike(1)...)
	}
	again := func(b *Builder) *Builder { return b.Pods("g", 2, UsesClaim("gpu", "shared")).Mark("come again") }
	watched := func(b *Builder) *Builder { return b.Hold("watch", settled).Mark("watched") }
	moved := func(b *Builder) *Builder {
		return b.Deallocate("shared").AllocateOn("node-1", "shared", "node-1/dev-0").BindAll("node-1", "g-2", "g-3")
	}
	const name = "devices-other-rack"
	return []story{
		{name, "waits", watched(again(left(1))), verdicts{"DRA-056": seen}},
		{name, "given another device", watched(moved(again(left(1)))), verdicts{"DRA-056": seen}},
		{name, "given back", watched(again(left(1)).Deallocate("shared")), verdicts{"DRA-056": seen}},
		{name, "there is room", watched(again(left(2))), verdicts{"DRA-056": unclear}},
		{name, "given back before", watched(again(left(1).Deallocate("shared"))), verdicts{"DRA-056": unclear}},
		{name, "nobody comes", watched(left(1).Mark("come again")), verdicts{"DRA-056": unclear}},
		{name, "not watched", again(left(1)).Mark("watched"), verdicts{"DRA-056": unclear}},
	}
}

func burstStories() []story {
	tell := func(bound int) *Builder {
		b := New().Nodes(burstNodes)
		n := 0
		for i := range burstNodes {
			node := fmt.Sprintf("node-%d", i)
			equipped(b, node, alike(burstOnNode)...)
			for d := range burstOnNode {
				name := fmt.Sprintf("p-%d", n)
				b.Pod(name, "", UsesTemplate("gpu", "gpu")).PodClaim(name, "gpu", name+"-gpu")
				if n < bound {
					given(b, name, fmt.Sprintf("%s/dev-%d", node, d), node)
				}
				n++
			}
		}
		return b.Mark("all bound")
	}
	return []story{
		{"devices-burst", "all", tell(burstNodes * burstOnNode), verdicts{"DRA-051": pass}},
		{"devices-burst", "all but one", tell(burstNodes*burstOnNode - 1), verdicts{"DRA-051": fail}},
		{"devices-burst", "too few pods", equipped(New().Nodes(1), "node-0", alike(2)...).Mark("all bound"), verdicts{"DRA-051": unclear}},
	}
}
