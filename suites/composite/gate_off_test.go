package composite

import (
	"testing"
	"time"

	"muster/suites/history"
	"muster/suites/history/historytest"
	"muster/suites/kit/kittest"
)

const gateOff = "composite-gate-off-in-scheduler"

// ungated is the header of a cluster whose scheduler has been started without composites.
func ungated(h *history.Header, _ *history.Scope) { h.SchedulerGates = map[string]bool{gate: false} }

// gateTale is a tree of which one gang lacks a pod: so many pods of the other one are bound meanwhile, and in the end so
// many of the tree.
func gateTale(early, whole int, change ...func(*history.Header, *history.Scope)) *historytest.Builder {
	b := historytest.New(change...).Nodes(4, historytest.Has("nvidia.com/gpu=1"))
	b = gangs(b.Composite("tree", 2).Gang("b", 2, under("tree")).Pods("b", 1, worker), "tree", "a").Mark("one pod short")
	nodes := []int{0, 1, 2, 3}
	bind(b, "a", nodes[:early]...)
	if early < 2 {
		b.Hold("one pod short", time.Minute)
	}
	b.Mark("waited").Pods("b", 1, worker)
	if whole == 4 {
		bind(b, "b", 2, 3)
		for i, node := range []string{"node-0", "node-1"}[early:] {
			b.Bind([]string{"a-0", "a-1"}[early+i], node)
		}
	}
	return b.Mark("all bound")
}

var gateTales = []struct {
	name, value  string
	early, whole int
}{
	{"each gang", "each gang by itself", 2, 4},
	{"a gang in part", "1 of the 2 pods of a gang by itself", 1, 4},
	{"the tree", "the tree as one", 0, 4},
	{"nothing", "0 of the 4 pods of the tree, once all are there", 0, 0},
}

func gateStories() []story {
	out := []story{
		{gateOff, "nobody says which gates the scheduler had", gateTale(2, 4), verdicts{"CPG-050": unclear}},
		{gateOff, "its gate was on", gateTale(2, 4, func(h *history.Header, _ *history.Scope) { h.SchedulerGates = map[string]bool{gate: true} }),
			verdicts{"CPG-050": unclear}},
		{gateOff, "not waited for", gangs(historytest.New(ungated).Nodes(4, historytest.Has("nvidia.com/gpu=1")).Composite("tree", 2), "tree", "a").
			Gang("b", 2, under("tree")).Pods("b", 1, worker).Mark("one pod short").Mark("waited").Pods("b", 1, worker).Mark("all bound"),
			verdicts{"CPG-050": unclear}},
		{gateOff, "no room", gangs(historytest.New(ungated).Nodes(1, historytest.Has("nvidia.com/gpu=1")).Composite("tree", 2), "tree", "a").
			Gang("b", 2, under("tree")).Pods("b", 1, worker).Mark("one pod short").Hold("", time.Minute).Mark("waited").Pods("b", 1, worker).Mark("all bound"),
			verdicts{"CPG-050": unclear}},
	}
	// Nobody waited long enough to say that the rest of a gang would not come.
	hasty := bind(gangs(historytest.New(ungated).Nodes(4, historytest.Has("nvidia.com/gpu=1")).Composite("tree", 2).Gang("b", 2, under("tree")).Pods("b", 1, worker),
		"tree", "a").Mark("one pod short"), "a", 0).Mark("waited").Pods("b", 1, worker).Mark("all bound")
	out = append(out, story{gateOff, "one bound, and on", hasty, verdicts{"CPG-050": unclear}})
	for _, s := range gateTales {
		out = append(out, story{gateOff, s.name, gateTale(s.early, s.whole, ungated), verdicts{"CPG-050": seen}})
	}
	return out
}

// podByPod is a scheduler that knows no groups at all: it binds the one pod of the gang that is short, too. It is no good
// story, since the invariants object.
func podByPod() *historytest.Builder {
	b := historytest.New(ungated).Nodes(4, historytest.Has("nvidia.com/gpu=1")).Composite("tree", 2).Gang("b", 2, under("tree")).Pods("b", 1, worker).Bind("b-0", "node-2")
	b = bind(gangs(b, "tree", "a").Mark("one pod short"), "a", 0, 1).Mark("waited").Pods("b", 1, worker)
	return b.Bind("b-1", "node-3").Mark("all bound")
}

func TestGateOffPodByPod(t *testing.T) {
	const want = "a pod of the gang that is short, and 2 of the 2 pods of the other one"
	if _, findings := kittest.Judge(t, gateOff, podByPod().View()); len(findings) != 1 || findings[0].Value != want {
		t.Errorf("%+v, want the value %q", findings, want)
	}
}

func TestGateOffValues(t *testing.T) {
	for _, s := range gateTales {
		_, findings := kittest.Judge(t, gateOff, gateTale(s.early, s.whole, ungated).View())
		if len(findings) != 1 || findings[0].Value != s.value {
			t.Errorf("%s: %+v, want the value %q", s.name, findings, s.value)
		}
	}
}
