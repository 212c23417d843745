package preemption

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/history/historytest"
	"muster/suites/kit"
)

// Stories about what clients are told, and about victims whose tree is gone.
func toldStories() []told {
	const nobody, apart, gone = "preemption-nobody-to-evict", "preemption-apart", "preemption-parent-is-gone"
	const least = math.MinInt32
	look := kit.EventLook(0)
	stuck := func(vainHeld int32, messages ...string) *historytest.Builder {
		b := begin().nodes("nobody", 1, 1).nodes("vain", 1, 1).stands("held-nobody", "", "nobody-0", least).stands("held-vain", "", "vain-0", vainHeld).ready()
		b.Gang("n", 1, historytest.GangPriority(least)).Pod("n-0", "n", gpus(1), at(least), only("nobody"))
		b.attack("v", "vain", 2, 2)
		for i, m := range messages {
			name := waiting[i].gang
			b.Satisfied(name, "False", "Unschedulable")
			b.Try("read "+name, history.VerbGet, "podgroups", name, history.Response{Code: 200, Object: saying(m)})
		}
		return b.settled()
	}
	victims := func(events ...string) *historytest.Builder {
		b := begin()
		for _, w := range []string{"gang", "pod"} {
			b.nodes(w, 3, 1).group("victim-"+w, 3, 100).across("victim-"+w, "victim-"+w, w, 3, 100)
		}
		b.ready().attack("for-gang", "gang", 1, 1).comes("for-pod", "pod").
			evict("victim-gang-0", "victim-pod-0").bind("for-gang-0", "gang-0").bind("for-pod", "pod-0").settled()
		for i, list := range events {
			b.Try(kit.EventLook(i), history.VerbList, "events", "", history.Response{Code: 200, Object: json.RawMessage(`{"items":[` + list + `]}`)})
		}
		return b.Builder
	}
	orphans := func(goes bool, victims ...string) *historytest.Builder {
		b := begin()
		for _, w := range []string{"gang", "pod"} {
			b.nodes(w, 4, 1).Composite(w+"-tree", 2, historytest.DisruptedTogether, historytest.GangPriority(100))
			for i, half := range halves {
				g := w + "-" + half
				b.group(g, 2, 100, historytest.Together, historytest.Under(w+"-tree"))
				for j := range 2 {
					b.stands(fmt.Sprint(g, "-", j), g, fmt.Sprint(w, "-", 2*i+j), 100)
				}
			}
			if goes {
				b.CompositeGone(w + "-tree")
			}
		}
		return b.ready().attack("g", "gang", 1, 1).comes("p", "pod").evict(victims...).settled()
	}
	return []told{
		{nobody, "with words", stuck(100, "no room, preemption: nobody is of lower priority", "pod test/victim-0: no room"), verdicts{"PRE-007": seen}},
		{nobody, "with names alone", stuck(100, "class test-preempt-least: no room on node test-preempt-nobody-0", "evicting helps nobody"), verdicts{"PRE-007": seen}},
		{nobody, "somebody could be evicted", stuck(2000, "no room", "no room"), verdicts{"PRE-007": unclear}},
		{nobody, "it was not read", stuck(100), verdicts{"PRE-007": unclear}},

		{apart, "nobody is told", victims(""), verdicts{"PRE-061": seen, "PRE-022": pass, "PRE-024": pass}},
		{apart, "at the second look", victims("", event("victim-gang-0", "on gang-0")+","+event("victim-pod-0", "")), verdicts{"PRE-061": seen}},
		{apart, "nobody looked", victims(), verdicts{"PRE-061": unclear}},
		{apart, "what was seen was not kept", victims().Try(look, history.VerbList, "events", "", history.Response{Code: 200}), verdicts{"PRE-061": unclear}},
		{apart, "the answer was no list", victims().Try(look, history.VerbList, "events", "", history.Response{Code: 200, Object: json.RawMessage(`{"kind":"Status"}`)}),
			verdicts{"PRE-061": unclear}},

		{gone, "the groups by themselves", orphans(true, "gang-left-0", "gang-left-1", "pod-right-0", "pod-right-1"), verdicts{"PRE-030": seen}},
		{gone, "all of the tree", orphans(true, "gang-left-0", "gang-left-1", "gang-right-0", "gang-right-1", "pod-left-0"), verdicts{"PRE-030": seen}},
		{gone, "the trees are there", orphans(false, "gang-left-0", "gang-left-1", "pod-left-0", "pod-left-1"), verdicts{"PRE-030": unclear}},
	}
}

// saying is a group that says why it waits.
func saying(message string) json.RawMessage {
	raw, err := json.Marshal(map[string]any{"status": map[string]any{"conditions": []map[string]any{
		{"type": "Other", "message": "eviction"}, {"type": "PodGroupInitiallyScheduled", "status": "False", "message": message},
	}}})
	if err != nil {
		panic(err)
	}
	return raw
}

// event is one that a scheduler writes about a victim.
func event(pod, text string) string {
	return fmt.Sprintf(`{"type":"Normal","reason":"Preempted","note":"preempted %s","regarding":{"kind":"Pod","name":%q}}`, text, pod)
}

// The values are what people read.
func TestWhatWasSaid(t *testing.T) {
	want := map[string]string{
		"with words": `nobody is of lower priority: False (Unschedulable), "preemption: nobody is of lower priority"; ` +
			`eviction would not help: False (Unschedulable), nothing of preemption`,
		"with names alone": `nobody is of lower priority: False (Unschedulable), nothing of preemption; ` +
			`eviction would not help: False (Unschedulable), "evicting helps nobody"`,
		"nobody is told": "for a gang 0 of 1 have one (none), naming the node in 0; for a pod 0 of 1 have one (none), naming the node in 0",
		"at the second look": "for a gang 1 of 1 have one (Normal Preempted), naming the node in 1; " +
			"for a pod 1 of 1 have one (Normal Preempted), naming the node in 0",
		"the groups by themselves": "by a gang 2 of 2 and 0 of 2; by a pod 2 of 2 and 0 of 2",
		"all of the tree":          "by a gang 2 of 2 and 2 of 2; by a pod 1 of 2 and 0 of 2",
	}
	for _, s := range toldStories() {
		if w := want[s.name]; w != "" {
			scenario, _ := suites.ScenarioByName(s.scenario)
			got := ""
			for _, f := range scenario.Judge(s.tell.View()) {
				got += f.Value
			}
			if got != w {
				t.Errorf("%s: observed %q, want %q", s.name, got, w)
			}
		}
	}
}
