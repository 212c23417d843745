package devices

import (
	"fmt"
	"testing"
	"time"

	"muster/suites"
	"muster/suites/history/historytest"
	"muster/suites/requirements"
)

// story is a record written by hand, and what the scenario's judge has to say about each requirement: the worst of its
// findings.
type story struct {
	scenario, name string
	tell           *historytest.Builder
	want           verdicts
}

type verdicts map[string]suites.Verdict

// Short forms, so that a story's line shows the story.
const (
	pass    = suites.Pass
	fail    = suites.Fail
	unclear = suites.Inconclusive
	seen    = suites.Observed
)

// settled is longer than any settle bound in these stories.
const settled = 2 * time.Minute

func stories() []story {
	var out []story
	for _, more := range [][]story{sharedStories(), shortStories(), choiceStories(), servedStories(), lifecycleStories(), endStories(), evictionStories()} {
		out = append(out, more...)
	}
	return out
}

func ours() []suites.Scenario {
	var out []suites.Scenario
	for _, s := range suites.Scenarios() {
		if s.Profile == "devices" {
			out = append(out, s)
		}
	}
	return out
}

func TestJudges(t *testing.T) {
	for _, s := range stories() {
		t.Run(s.scenario+"/"+s.name, func(t *testing.T) {
			got, said := judged(t, s.scenario, s.tell)
			for id, want := range s.want {
				if got[id] != want {
					t.Errorf("%s: %s, want %s\n%s", id, got[id], want, said)
				}
			}
		})
	}
}

func judged(t *testing.T, scenario string, tell *historytest.Builder) (verdicts, string) {
	t.Helper()
	s, ok := suites.ScenarioByName(scenario)
	if !ok {
		t.Fatalf("no scenario is called %s", scenario)
	}
	got, said := verdicts{}, ""
	for _, f := range s.Judge(tell.View()) {
		if old, ok := got[f.Requirement]; !ok || f.Verdict.Worse(old) {
			got[f.Requirement] = f.Verdict
		}
		said += fmt.Sprintf("  %s %s: %s %s\n", f.Requirement, f.Verdict, f.Message, f.Value)
	}
	return got, said
}

// Every judged requirement of every scenario has a story that passes and one that fails, every MAY one that is observed:
// a judge that cannot fail proves nothing.
func TestEveryRequirementIsToldBothWays(t *testing.T) {
	reqs, err := requirements.All()
	if err != nil {
		t.Fatal(err)
	}
	levels := map[string]suites.Level{}
	for _, r := range reqs {
		levels[r.ID] = r.Level
	}
	told := map[string]bool{}
	for _, s := range stories() {
		for id, v := range s.want {
			told[fmt.Sprint(s.scenario, id, v)] = true
		}
	}
	for _, s := range ours() {
		for _, id := range s.Requirements {
			want := []suites.Verdict{pass, fail}
			if levels[id] == suites.May {
				want = []suites.Verdict{seen}
			}
			for _, v := range want {
				if !told[fmt.Sprint(s.Name, id, v)] {
					t.Errorf("no story of %s ends with %s for %s", s.Name, v, id)
				}
			}
		}
	}
}

// A record in which nothing happened establishes nothing, for or against anybody.
func TestNothingHappened(t *testing.T) {
	for _, s := range ours() {
		got, said := judged(t, s.Name, historytest.New().Wait(time.Minute))
		for _, id := range s.Requirements {
			if got[id] != unclear {
				t.Errorf("%s: %s of an empty record is %s\n%s", s.Name, id, got[id], said)
			}
		}
	}
}
