package devices

import (
	"encoding/json"
	"fmt"
	"time"

	resourceapi "k8s.io/api/resource/v1"

	"muster/suites/history"
	. "muster/suites/history/historytest"
)

// fabric is the pool of a story's devices that all nodes reach.
const fabric = "test"

// equipped is the driver's publication of a pool with these devices.
func equipped(b *Builder, pool string, devices ...resourceapi.Device) *Builder {
	s := resourceapi.ResourceSlice{}
	s.Spec.Driver, s.Spec.Pool.Name, s.Spec.Devices = Driver, pool, devices
	raw, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("devices: a slice of a story: %v", err))
	}
	return b.Try(published+pool, "create", "resourceslices", pool, history.Response{Code: 201, Object: raw})
}

func sharedStories() []story {
	base := func() *Builder {
		b := equipped(New().Nodes(2), fabric, alike(3)...).Claim("shared").Claim("renamed").Claim("aside").Gang("g", 4)
		return b.Pods("g", 4, UsesClaim("fabric", "shared"), UsesClaim("other", "renamed"), UsesClaim("aside", "aside"))
	}
	pods := []string{"pod:g-0", "pod:g-1", "pod:g-2", "pod:g-3"}
	apart := func(b *Builder) *Builder {
		return b.Allocate("renamed", "test/dev-1").Reserve("renamed", pods...).Allocate("aside", "test/dev-2").Reserve("aside", pods...)
	}
	done := func(b *Builder) *Builder { return b.BindAll("node-0", "g-0", "g-1", "g-2", "g-3").Mark("bound") }
	out := []story{
		{"devices-group-claim", "as it should be", done(apart(base()).Allocate("shared", "test/dev-0").Reserve("shared", "gang:g")),
			verdicts{"DRA-001": pass, "DRA-003": pass, "DRA-009": pass}},
		{"devices-group-claim", "reserved for each pod", done(apart(base()).Allocate("shared", "test/dev-0").Reserve("shared", pods...)),
			verdicts{"DRA-001": fail, "DRA-003": pass}},
		{"devices-group-claim", "reserved for the group and a pod", done(apart(base()).Allocate("shared", "test/dev-0").Reserve("shared", "gang:g", "pod:g-0")),
			verdicts{"DRA-001": fail}},
		{"devices-group-claim", "nobody is bound", base().Mark("bound"), verdicts{"DRA-001": fail, "DRA-003": unclear, "DRA-009": unclear}},
		{"devices-group-claim", "all for the group", done(base().Allocate("renamed", "test/dev-1").Reserve("renamed", "gang:g").Allocate("aside", "test/dev-2").
			Reserve("aside", "gang:g").Allocate("shared", "test/dev-0").Reserve("shared", "gang:g")), verdicts{"DRA-001": pass, "DRA-003": fail}},
		{"devices-group-claim", "given twice", done(apart(base()).Allocate("shared", "test/dev-0").Deallocate("shared").Allocate("shared", "test/dev-0").Reserve("shared", "gang:g")),
			verdicts{"DRA-001": pass, "DRA-009": fail}},
	}
	return append(append(append(out, templateStories()...), crowdStories()...), consumerStories()...)
}

func templateStories() []story {
	// gang tells of a gang whose members share a claim that holds a device.
	gang := func(b *Builder, name, device string) *Builder {
		b.Gang(name, 1).Pods(name, 3, UsesTemplate("link", "link")).GangClaim(name, "link", name+"-link")
		for i := range 3 {
			b.PodHasClaim(fmt.Sprintf("%s-%d", name, i), "link", name+"-link")
		}
		b.Allocate(name+"-link", "test/"+device).Reserve(name+"-link", "gang:"+name)
		return b.BindAll("node-0", name+"-0", name+"-1", name+"-2").Mark(name + " bound")
	}
	start := func() *Builder { return equipped(New().Nodes(2), fabric, alike(3)...) }
	later := func(b *Builder) *Builder {
		return b.Gone("one-0", "one-1", "one-2").Pod("later", "one", UsesTemplate("link", "link")).PodHasClaim("later", "link", "one-link")
	}
	own := start().Gang("one", 1).Pods("one", 3, UsesTemplate("link", "link"))
	for i := range 3 {
		name := fmt.Sprintf("one-%d", i)
		own.PodClaim(name, "link", name+"-link").Allocate(name+"-link", fmt.Sprintf("test/dev-%d", i)).Reserve(name+"-link", "pod:"+name).Bind(name, "node-0")
	}
	return []story{
		{"devices-group-template", "shared and apart", later(gang(gang(start(), "one", "dev-0"), "two", "dev-1")).Bind("later", "node-1").Mark("later bound"),
			verdicts{"DRA-020": pass, "DRA-033": pass, "DRA-012": pass}},
		{"devices-group-template", "a claim for each", own.Mark("one bound").Mark("two bound").Mark("later bound"), verdicts{"DRA-020": fail, "DRA-033": unclear, "DRA-012": unclear}},
		{"devices-group-template", "one device for two gangs", gang(gang(start(), "one", "dev-0"), "two", "dev-0"), verdicts{"DRA-020": pass, "DRA-033": fail}},
		{"devices-group-template", "the later member waits", later(gang(gang(start(), "one", "dev-0"), "two", "dev-1")).Mark("later bound"), verdicts{"DRA-012": fail}},
		{"devices-group-template", "other devices for the later member", later(gang(gang(start(), "one", "dev-0"), "two", "dev-1")).Unreserve("one-link").Deallocate("one-link").
			Allocate("one-link", "test/dev-2").Reserve("one-link", "gang:one").Bind("later", "node-1").Mark("later bound"), verdicts{"DRA-012": fail}},
	}
}

func crowdStories() []story {
	tell := func(bound int, group bool) *Builder {
		b := equipped(New().Nodes(3, Has("cpu=1000", "memory=1Ti", "pods=1000")), fabric, alike(1)...).Claim("shared").Gang("g", crowd).Pods("g", crowd, UsesClaim("fabric", "shared")).Allocate("shared", "test/dev-0")
		if group {
			b.Reserve("shared", "gang:g")
		} else {
			b.Reserve("shared", "pod:g-0")
		}
		for i := range bound {
			b.Bind(fmt.Sprintf("g-%d", i), "node-0")
		}
		return b.Mark("bound")
	}
	return []story{
		{"devices-many-members", "all", tell(crowd, true), verdicts{"DRA-002": pass}},
		{"devices-many-members", "as many as fit", tell(resourceapi.ResourceClaimReservedForMaxSize, true), verdicts{"DRA-002": fail}},
		{"devices-many-members", "not for the group", tell(crowd, false), verdicts{"DRA-002": fail}},
	}
}

func consumerStories() []story {
	tell := func(reserved ...string) *Builder {
		b := equipped(New().Nodes(2), fabric, alike(1)...).Claim("shared").Gang("one", 2).Gang("two", 2)
		b.Pods("one", 2, UsesClaim("fabric", "shared")).Pods("two", 2, UsesClaim("fabric", "shared")).Pod("plain", "", UsesClaim("fabric", "shared"))
		return b.Allocate("shared", "test/dev-0").Reserve("shared", reserved...)
	}
	all := []string{"one-0", "one-1", "two-0", "two-1", "plain"}
	return []story{
		{"devices-several-consumers", "one for each", tell("gang:one", "gang:two", "pod:plain").BindAll("node-0", all...).Mark("all bound"), verdicts{"DRA-016": pass}},
		{"devices-several-consumers", "pods of a gang", tell("pod:one-0", "pod:one-1", "gang:two", "pod:plain").BindAll("node-0", all...).Mark("all bound"), verdicts{"DRA-016": fail}},
		{"devices-several-consumers", "one waits", tell("gang:one", "gang:two", "pod:plain").BindAll("node-0", all[:4]...).Wait(time.Minute).Mark("all bound"), verdicts{"DRA-016": fail}},
	}
}
