package preemption

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"muster/suites"
	"muster/suites/check"
	"muster/suites/history"
	"muster/suites/history/historytest"
	"muster/suites/requirements"
	"muster/workloads/dialect"
)

// told is a record written by hand, and what the scenario's judge has to say about each requirement: the worst of its
// findings.
type told struct {
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

func stories() []told {
	return slices.Concat(needStories(), unitStories(), choiceStories(), policyStories(), drainStories(), fieldStories())
}

func TestJudges(t *testing.T) {
	for _, s := range stories() {
		t.Run(s.scenario+"/"+s.name, func(t *testing.T) {
			got, findings := judge(t, s.scenario, s.tell.View())
			for id, want := range s.want {
				if got[id] != want {
					t.Errorf("%s: %s, want %s\n%s", id, got[id], want, lines(findings))
				}
			}
		})
	}
}

// Every judged requirement of every scenario has a story that passes and one that fails, every MAY one that is observed:
// a judge that cannot fail proves nothing.
func TestEveryRequirementIsToldBothWays(t *testing.T) {
	levels := levelsOf(t)
	known := map[string]map[suites.Verdict]bool{}
	for _, s := range stories() {
		for id, v := range s.want {
			key := s.scenario + " " + id
			if known[key] == nil {
				known[key] = map[suites.Verdict]bool{}
			}
			known[key][v] = true
		}
	}
	for _, s := range ours() {
		for _, id := range s.Requirements {
			want := []suites.Verdict{pass, fail}
			if levels[id] == suites.May {
				want = []suites.Verdict{seen}
			}
			for _, v := range want {
				if !known[s.Name+" "+id][v] {
					t.Errorf("no story of %s ends with %s for %s", s.Name, v, id)
				}
			}
		}
	}
}

// Requirements that are MAY are observed, the others are judged.
func TestFindingsMatchLevels(t *testing.T) {
	levels := levelsOf(t)
	for _, s := range stories() {
		_, findings := judge(t, s.scenario, s.tell.View())
		for _, f := range findings {
			level, known := levels[f.Requirement]
			if !known {
				t.Errorf("%s speaks about %s, which is not in the catalogue", s.scenario, f.Requirement)
			}
			if f.Verdict == seen && level != suites.May || level == suites.May && (f.Verdict == pass || f.Verdict == fail) {
				t.Errorf("%s/%s: %s is %s and was given %s", s.scenario, s.name, f.Requirement, level, f.Verdict)
			}
		}
	}
}

// A record in which nothing happened establishes nothing, for or against anybody.
func TestNothingHappened(t *testing.T) {
	v := historytest.New().Wait(time.Minute).View()
	for _, s := range ours() {
		got, findings := judge(t, s.Name, v)
		for _, id := range s.Requirements {
			if got[id] != unclear {
				t.Errorf("%s: %s of an empty record is %q\n%s", s.Name, id, got[id], lines(findings))
			}
		}
	}
}

// A good story that breaks off anywhere accuses nobody: what was not reached was not seen.
func TestCutShortNeverFails(t *testing.T) {
	native, err := dialect.Load("native")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range stories() {
		if !s.good() {
			continue
		}
		whole := s.tell.History()
		for n := 1; n < len(whole.Events); n++ {
			cut := &history.History{Header: whole.Header, Events: whole.Events[:n], Name: whole.Name}
			v := history.NewView(cut, native, history.Scope{Scenario: historytest.Scenario})
			v.Gaps = nil // a driver that was interrupted leaves a complete record of half a story
			_, findings := judge(t, s.scenario, v)
			for _, f := range findings {
				if f.Verdict == fail {
					t.Errorf("%s/%s cut after event %d of %d: %s", s.scenario, s.name, n, len(whole.Events), line(f))
				}
			}
		}
	}
}

// What a scenario takes for good breaks no invariant: judges and checks agree on what is allowed.
func TestGoodStoriesKeepTheInvariants(t *testing.T) {
	for _, s := range stories() {
		if !s.good() {
			continue
		}
		for _, f := range check.Judge(s.tell.View()) {
			if f.Verdict == fail {
				t.Errorf("%s/%s: %s", s.scenario, s.name, line(f))
			}
		}
	}
}

func (s told) good() bool {
	for _, v := range s.want {
		if v != pass && v != seen {
			return false
		}
	}
	return true
}

// judge is the worst verdict by requirement, and all findings.
func judge(t *testing.T, scenario string, v *history.View) (verdicts, []suites.Finding) {
	t.Helper()
	s, ok := suites.ScenarioByName(scenario)
	if !ok {
		t.Fatalf("no scenario is called %s", scenario)
	}
	findings, got := s.Judge(v), verdicts{}
	for _, f := range findings {
		if !slices.Contains(s.Requirements, f.Requirement) {
			t.Errorf("%s speaks about %s without naming it", scenario, f.Requirement)
		}
		if old, spoken := got[f.Requirement]; !spoken || f.Verdict.Worse(old) {
			got[f.Requirement] = f.Verdict
		}
	}
	return got, findings
}

func ours() []suites.Scenario {
	return slices.DeleteFunc(suites.Scenarios(), func(s suites.Scenario) bool { return s.Profile != "preemption" })
}

func levelsOf(t *testing.T) map[string]suites.Level {
	t.Helper()
	all, err := requirements.All()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]suites.Level{}
	for _, r := range all {
		out[r.ID] = r.Level
	}
	return out
}

func lines(findings []suites.Finding) (out string) {
	for _, f := range findings {
		out += "\n  " + line(f)
	}
	return out
}

func line(f suites.Finding) string {
	return fmt.Sprintf("%s %s %s %s %v", f.Requirement, f.Verdict, f.Value, f.Message, f.Objects)
}
