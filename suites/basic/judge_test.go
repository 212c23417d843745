package basic

import (
	"testing"
	"time"

	"muster/suites"
	"muster/suites/history/historytest"
)

// A story is told by hand and judged by a scenario's judge.
type story struct {
	name string
	h    *historytest.Builder
	want suites.Verdict
	// value of the observed finding, for a MAY.
	value string
}

func judge(t *testing.T, scenario string, stories []story) {
	t.Helper()
	s, ok := suites.ScenarioByName(scenario)
	if !ok {
		t.Fatalf("no scenario %s is registered", scenario)
	}
	for _, st := range stories {
		t.Run(st.name, func(t *testing.T) {
			findings := s.Judge(st.h.View())
			if len(findings) == 0 {
				t.Fatal("the judge is silent")
			}
			worst := findings[0]
			for _, f := range findings {
				if f.Requirement != s.Requirements[0] {
					t.Errorf("finding on %s, the scenario names %v", f.Requirement, s.Requirements)
				}
				if f.Verdict.Worse(worst.Verdict) {
					worst = f
				}
			}
			if worst.Verdict != st.want || worst.Value != st.value {
				t.Errorf("%s %q (%s), want %s %q", worst.Verdict, worst.Value, worst.Message, st.want, st.value)
			}
		})
	}
}

var oneGPU = historytest.Wants("cpu=1", "nvidia.com/gpu=1")

// pool is n nodes with one GPU each.
func pool(n int) *historytest.Builder {
	return historytest.New().Nodes(n, historytest.Has("nvidia.com/gpu=1"))
}

func TestMembersAsTheyCome(t *testing.T) {
	begun := func(n int) *historytest.Builder { return pool(n).Basic("g").Pods("g", 1, oneGPU) }
	judge(t, "basic-members-as-they-come", []story{
		{name: "each is bound in its turn", want: suites.Pass, h: begun(3).
			Bind("g-0", "node-0").Mark("first bound").Pods("g", 2, oneGPU).
			Bind("g-1", "node-1").Bind("g-2", "node-2").Mark("all bound")},
		{name: "the first waits for company", want: suites.Fail, h: begun(3).
			Mark("first bound").Pods("g", 2, oneGPU).
			Bind("g-0", "node-0").Bind("g-1", "node-1").Bind("g-2", "node-2").Mark("all bound")},
		{name: "the others are forgotten", want: suites.Fail, h: begun(3).
			Bind("g-0", "node-0").Mark("first bound").Pods("g", 2, oneGPU).Mark("all bound")},
		{name: "no room for all", want: suites.Inconclusive, h: begun(2).
			Mark("first bound").Pods("g", 2, oneGPU).Mark("all bound")},
		{name: "cut short", want: suites.Inconclusive, h: begun(3).Bind("g-0", "node-0").Mark("first bound")},
	})
}

func TestPodsBeforeGroup(t *testing.T) {
	const settled = 20 * time.Second // 10 s × √2 + 5 s, and a little more
	early := func(n int) *historytest.Builder { return pool(n).Pods("g", 2, oneGPU).Mark("no group") }
	judge(t, "basic-pods-before-group", []story{
		{name: "they wait and are bound", want: suites.Pass, h: early(2).Hold("quiet", settled).Mark("watched").
			Basic("g").Bind("g-0", "node-0").Bind("g-1", "node-1").Mark("all bound")},
		{name: "bound without a group", want: suites.Fail, h: early(2).Bind("g-0", "node-0").Hold("quiet", settled).Mark("watched").
			Basic("g").Bind("g-1", "node-1").Mark("all bound")},
		{name: "forgotten", want: suites.Fail, h: early(2).Hold("quiet", settled).Mark("watched").Basic("g").Mark("all bound")},
		{name: "watched for too short a time", want: suites.Inconclusive, h: early(2).Hold("quiet", time.Second).Mark("watched").
			Basic("g").Bind("g-0", "node-0").Bind("g-1", "node-1").Mark("all bound")},
		{name: "no room anyway", want: suites.Inconclusive, h: early(1).Hold("quiet", settled).Mark("watched").
			Basic("g").Mark("all bound")},
		{name: "the group never came", want: suites.Inconclusive, h: early(2).Bind("g-0", "node-0").Hold("quiet", settled).Mark("watched")},
	})
}

func TestFitsInPart(t *testing.T) {
	taken := func() *historytest.Builder {
		return pool(4).
			Pod("taken-0", "", oneGPU, historytest.Placed("node-0")).Pod("taken-1", "", oneGPU, historytest.Placed("node-1")).
			Mark("room taken").Basic("g").Pods("g", 4, oneGPU)
	}
	freed := func(b *historytest.Builder) *historytest.Builder {
		return b.Gone("taken-0", "taken-1").Mark("room made")
	}
	judge(t, "basic-fits-in-part", []story{
		{name: "what fits is bound, then the rest", want: suites.Pass, h: freed(taken().
			Bind("g-0", "node-2").Bind("g-3", "node-3").Mark("room filled")).
			Bind("g-1", "node-0").Bind("g-2", "node-1").Mark("all bound")},
		{name: "all or nothing", want: suites.Fail, h: freed(taken().Mark("room filled")).
			Bind("g-0", "node-0").Bind("g-1", "node-1").Bind("g-2", "node-2").Bind("g-3", "node-3").Mark("all bound")},
		{name: "one of two slots is used", want: suites.Fail, h: freed(taken().Bind("g-0", "node-2").Mark("room filled")).
			Bind("g-1", "node-0").Bind("g-2", "node-1").Bind("g-3", "node-3").Mark("all bound")},
		{name: "the rest is forgotten", want: suites.Fail, h: freed(taken().
			Bind("g-0", "node-2").Bind("g-3", "node-3").Mark("room filled")).Mark("all bound")},
		{name: "room for all from the beginning", want: suites.Inconclusive, h: pool(4).Mark("room taken").
			Basic("g").Pods("g", 4, oneGPU).
			Bind("g-0", "node-0").Bind("g-1", "node-1").Bind("g-2", "node-2").Bind("g-3", "node-3").
			Mark("room filled").Mark("room made").Mark("all bound")},
	})
}

func TestNothingFits(t *testing.T) {
	const settled = 20 * time.Second
	two := historytest.Wants("cpu=1", "nvidia.com/gpu=2")
	asked := func() *historytest.Builder { return pool(2).Basic("g").Pods("g", 2, two).Mark("created") }
	judge(t, "basic-nothing-fits", []story{
		{name: "False with a reason", want: suites.Observed, value: "False (Unschedulable)", h: asked().
			Satisfied("g", "False", "Unschedulable").Hold("quiet", settled).Mark("watched")},
		{name: "False without one", want: suites.Observed, value: "False", h: asked().
			Satisfied("g", "False", "").Hold("quiet", settled).Mark("watched")},
		{name: "silence", want: suites.Observed, value: "no condition", h: asked().Hold("quiet", settled).Mark("watched")},
		{name: "something would fit", want: suites.Inconclusive, h: pool(2).Basic("g").Pods("g", 2, oneGPU).Mark("created").
			Hold("quiet", settled).Mark("watched")},
	})
}

func TestGatedMember(t *testing.T) {
	const settled = 23 * time.Second // 10 s × √3 + 5 s
	begun := func() *historytest.Builder {
		return pool(3).Basic("g").Pods("g", 1, oneGPU, historytest.Gated).Pods("g", 2, oneGPU).Mark("one gated")
	}
	judge(t, "basic-gated-member", []story{
		{name: "the others are held", want: suites.Observed, value: "0 of 2 ungated members bound; 3 of 3 once the gate was gone",
			h: begun().Hold("quiet", settled).Mark("watched").Ungate("g-0").
				Bind("g-0", "node-0").Bind("g-1", "node-1").Bind("g-2", "node-2").Mark("ungated")},
		{name: "the others go ahead", want: suites.Observed, value: "2 of 2 ungated members bound; 3 of 3 once the gate was gone",
			h: begun().Bind("g-1", "node-1").Bind("g-2", "node-2").Hold("quiet", settled).Mark("watched").Ungate("g-0").
				Bind("g-0", "node-0").Mark("ungated")},
		{name: "nobody was gated", want: suites.Inconclusive, h: pool(3).Basic("g").Pods("g", 3, oneGPU).Mark("one gated").
			Hold("quiet", settled).Mark("watched").Mark("ungated")},
	})
}
