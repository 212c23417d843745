package devices

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"muster/suites/history"
	. "muster/suites/history/historytest"
)

func endStories() []story {
	start := func() *Builder {
		b := equipped(New().Nodes(1), fabric, alike(2)...)
		for i, name := range []string{"finishes", "deleted"} {
			b.Pod(name, "", UsesTemplate("gpu", "gpu"), For(byHand)).PodClaim(name, "gpu", name+"-gpu")
			b.DriverAllocate(name+"-gpu", fmt.Sprintf("test/dev-%d", i)).Reserve(name+"-gpu", "pod:"+name).DriverBind(name, "node-0")
		}
		return b.Finish(corev1.PodSucceeded, "finishes")
	}
	back := func() *Builder { return start().Unreserve("finishes-gpu").Deallocate("finishes-gpu").Mark("finished") }
	return []story{
		{"devices-own-claims-end", "given back", back().Gone("deleted").ClaimGone("deleted-gpu").Mark("deleted"), verdicts{"DRA-043": pass, "DRA-044": pass}},
		{"devices-own-claims-end", "kept", start().Mark("finished").Gone("deleted").Mark("deleted"), verdicts{"DRA-043": fail, "DRA-044": fail}},
		{"devices-own-claims-end", "still reserved", start().Deallocate("finishes-gpu").Mark("finished"), verdicts{"DRA-043": fail, "DRA-044": unclear}},
		{"devices-own-claims-end", "going is not gone", back().Gone("deleted").ClaimDeleting("deleted-gpu").Mark("deleted"), verdicts{"DRA-044": fail}},
	}
}

func evictionStories() []story {
	start := func() *Builder {
		b := equipped(New().Nodes(1), fabric, alike(3)...)
		for i, name := range []string{"hit", "spared", "ruled"} {
			b.Claim(name).Basic(name).Pods(name, 2, UsesClaim("gpu", name), For(byHand))
			b.DriverAllocate(name, fmt.Sprintf("test/dev-%d", i)).Reserve(name, "gang:"+name).DriverBind(name+"-0", "node-0").DriverBind(name+"-1", "node-0")
		}
		return b.Mark("untainted")
	}
	made := func(b *Builder, code int) *Builder {
		return b.Try(ruleMade, "create", "devicetaintrules", "r", history.Response{Code: code})
	}
	evicted := func() *Builder {
		return made(start().Deleting("hit-0", "hit-1").Gone("hit-0", "hit-1").Mark("tainted"), 201)
	}
	return []story{
		{"devices-evicted", "the users", evicted().Deleting("ruled-0", "ruled-1").Gone("ruled-0", "ruled-1").Mark("ruled"), verdicts{"DRA-030": pass, "DRA-046": pass, "DRA-054": pass}},
		{"devices-evicted", "the rule evicts nobody", evicted().Wait(time.Minute).Mark("ruled"), verdicts{"DRA-030": pass, "DRA-046": pass, "DRA-054": fail}},
		{"devices-evicted", "the rule evicts one", evicted().Gone("ruled-1").Mark("ruled"), verdicts{"DRA-054": fail}},
		{"devices-evicted", "evicted before the rule", made(start().Gone("hit-0", "hit-1", "ruled-0").Mark("tainted"), 201).Gone("ruled-1").Mark("ruled"), verdicts{"DRA-030": pass, "DRA-054": unclear}},
		{"devices-evicted", "rules are unknown", made(start().Gone("hit-0", "hit-1").Mark("tainted"), 404).Mark("ruled"), verdicts{"DRA-030": pass, "DRA-054": unclear}},
		{"devices-evicted", "no end", evicted(), verdicts{"DRA-054": unclear}},
		{"devices-evicted", "one of the users", start().Gone("hit-0").Mark("tainted"), verdicts{"DRA-030": fail, "DRA-046": pass}},
		{"devices-evicted", "everybody", start().Gone("hit-0", "hit-1", "spared-0").Mark("tainted"), verdicts{"DRA-030": pass, "DRA-046": fail}},
		{"devices-evicted", "gone before", New().Mark("untainted").Mark("tainted"), verdicts{"DRA-030": unclear, "DRA-046": unclear}},
	}
}
