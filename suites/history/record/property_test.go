package record

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"muster/suites/history"
)

// Whatever happens, and however often connections break: the file holds the objects as they are, has no gap, and a
// subscriber's view is the file's.
func TestRecordHoldsWhatHappened(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := startBench(t)
		sub := b.rec.Subscribe()
		header := b.rec.Header()
		live := history.NewBuilder(&header, toy{}, history.Scope{})
		for range rapid.IntRange(1, 30).Draw(rt, "steps") {
			resource := rapid.SampledFrom([]string{"pods", "pods", "nodes", "gangs"}).Draw(rt, "resource")
			name := rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "name")
			ns := "ns"
			if resource == "nodes" {
				ns = ""
			}
			b.api.mu.Lock()
			exists := b.api.objects[resource][ns+"/"+name] != nil
			b.api.mu.Unlock()
			switch k := rapid.IntRange(0, 5).Draw(rt, "step"); {
			case k == 0:
				b.api.breakWatches()
			case k == 1 && exists:
				b.api.delete(resource, ns, name)
			case k == 2:
				b.rec.Action(history.Event{Verb: history.VerbMark, Name: name, Action: &history.Action{Scenario: "s"}})
			default:
				b.api.put(resource, ns, name, object{"status": object{"phase": rapid.SampledFrom([]string{"Pending", "Running", "Failed"}).Draw(rt, "phase")}})
			}
		}
		h := b.close()
		v := view(h)
		if len(v.Gaps) > 0 {
			rt.Fatalf("gaps %+v", v.Gaps)
		}
		for events, err := sub.Ready(); err == nil; events, err = sub.Ready() {
			for _, e := range events {
				live.AddFolded(e)
			}
		}
		if a, c := words(rt, live.View()), words(rt, v); a != c {
			rt.Fatalf("live\n%s\nstored\n%s", a, c)
		}
		for resource, objects := range b.api.objects {
			for key, o := range objects {
				_, name, _ := strings.Cut(key, "/")
				want := o["metadata"].(object)["resourceVersion"]
				got := ""
				switch resource {
				case "pods":
					got = v.Pod(name).Object.ResourceVersion
				case "nodes":
					n, _ := history.Latest(v.Node(name).Object)
					got = n.ResourceVersion
				case "gangs":
					continue // a view keeps no whole gang; its gap check has compared versions
				}
				if got != want {
					rt.Fatalf("%s %s is recorded at %s, is at %s", resource, name, got, want)
				}
			}
		}
	})
}

// words is what a view says of its objects.
func words(t *rapid.T, v *history.View) string {
	var all []any
	for _, p := range v.Pods {
		all = append(all, p)
	}
	for _, g := range v.Gangs {
		all = append(all, g)
	}
	for _, n := range v.Nodes {
		all = append(all, n)
	}
	all = append(all, v.Actions)
	raw, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
