package kittest

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"muster/suites"
	"muster/suites/check"
	"muster/suites/history"
	"muster/suites/history/historytest"
	"muster/suites/requirements"
	"muster/workloads/dialect"
)

// cuts of a long story; one that is shorter is cut after every event.
const cuts = 200

// asked is how often a judge is asked again: it has to say the same to the letter, names in one order, or a record that is
// judged again differs from its report. Of two names the order of a map shows in every second answer.
const asked = 4

// Verdicts by requirement.
type Verdicts map[string]suites.Verdict

// Story is a record written by hand, and what the scenario's judge has to say about each requirement: the worst of its
// findings.
type Story struct {
	Scenario, Name string
	Tell           *historytest.Builder
	Want           Verdicts
}

// Good reports whether nothing in it is objected to.
func (s Story) Good() bool {
	for v := range maps.Values(s.Want) {
		if v != suites.Pass && v != suites.Observed {
			return false
		}
	}
	return true
}

// Stories runs the tests that every profile of stories has to pass.
func Stories(t *testing.T, profile string, stories []Story) {
	t.Run("judges", func(t *testing.T) { judges(t, stories) })
	t.Run("every requirement is told both ways", func(t *testing.T) { bothWays(t, profile, stories) })
	t.Run("nothing happened", func(t *testing.T) { nothingHappened(t, profile) })
	t.Run("good stories", func(t *testing.T) { goodStories(t, stories) })
}

func judges(t *testing.T, stories []Story) {
	for _, s := range stories {
		t.Run(s.Scenario+"/"+s.Name, func(t *testing.T) {
			got, findings := Judge(t, s.Scenario, s.Tell.View())
			for range asked {
				if _, again := Judge(t, s.Scenario, s.Tell.View()); lines(again) != lines(findings) {
					t.Errorf("asked again it says%s\nafter it said%s", lines(again), lines(findings))
					break
				}
			}
			for id, want := range s.Want {
				if got[id] != want {
					t.Errorf("%s: %s, want %s\n%s", id, got[id], want, lines(findings))
				}
			}
		})
	}
}

// bothWays: a judged requirement has a story that passes and one that fails, a MAY one that is observed.
func bothWays(t *testing.T, profile string, stories []Story) {
	levels := levelsOf(t)
	told := map[string]bool{}
	for _, s := range stories {
		for id, v := range s.Want {
			told[fmt.Sprint(s.Scenario, id, v)] = true
		}
	}
	for _, s := range Of(profile) {
		for _, id := range s.Requirements {
			want := []suites.Verdict{suites.Pass, suites.Fail}
			if levels[id] == suites.May {
				want = []suites.Verdict{suites.Observed}
			}
			for _, v := range want {
				if !told[fmt.Sprint(s.Name, id, v)] {
					t.Errorf("no story of %s ends with %s for %s", s.Name, v, id)
				}
			}
		}
	}
}

// nothingHappened: a record in which nothing happened establishes nothing, for or against anybody.
func nothingHappened(t *testing.T, profile string) {
	v := historytest.New().Wait(time.Minute).View()
	for _, s := range Of(profile) {
		got, findings := Judge(t, s.Name, v)
		for _, id := range s.Requirements {
			if got[id] != suites.Inconclusive {
				t.Errorf("%s: %s of an empty record is %q\n%s", s.Name, id, got[id], lines(findings))
			}
		}
	}
}

// goodStories: one that breaks off anywhere accuses nobody, since what was not reached was not seen; and judges and
// invariants agree on what is good.
func goodStories(t *testing.T, stories []Story) {
	native, err := dialect.Load(dialect.Native)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range stories {
		if !s.Good() {
			continue
		}
		whole := s.Tell.History()
		for _, f := range check.Judge(s.Tell.View()) {
			if f.Verdict == suites.Fail {
				t.Errorf("%s/%s: %s", s.Scenario, s.Name, line(f))
			}
		}
		// A story of hundreds of events is one thing many times over: it is cut here and there.
		for n := 1; n < len(whole.Events); n += 1 + len(whole.Events)/cuts {
			cut := &history.History{Header: whole.Header, Events: whole.Events[:n], Name: whole.Name}
			v := history.NewView(cut, native, history.Scope{Scenario: historytest.Scenario})
			v.Gaps = nil // a driver that was interrupted leaves a complete record of half a story
			_, findings := Judge(t, s.Scenario, v)
			for _, f := range findings {
				if f.Verdict == suites.Fail {
					t.Errorf("%s/%s cut after event %d of %d: %s", s.Scenario, s.Name, n, len(whole.Events), line(f))
				}
			}
		}
	}
}

// Judge is the worst verdict by requirement, and all findings. It complains of a judge that speaks about what its
// scenario does not name, or that passes or fails a MAY.
func Judge(t *testing.T, scenario string, v *history.View) (Verdicts, []suites.Finding) {
	t.Helper()
	s, ok := suites.ScenarioByName(scenario)
	if !ok {
		t.Fatalf("no scenario is called %s", scenario)
	}
	levels := levelsOf(t)
	findings := s.Judge(v)
	for _, f := range findings {
		if !slices.Contains(s.Requirements, f.Requirement) {
			t.Errorf("%s speaks about %s without naming it", scenario, f.Requirement)
		}
		may := levels[f.Requirement] == suites.May
		if f.Verdict == suites.Observed && !may || may && (f.Verdict == suites.Pass || f.Verdict == suites.Fail) {
			t.Errorf("%s: %s is %s and was given %s", scenario, f.Requirement, levels[f.Requirement], f.Verdict)
		}
	}
	return fold(findings), findings
}

// fold is the worst verdict by requirement.
func fold(findings []suites.Finding) Verdicts {
	got := Verdicts{}
	for _, f := range findings {
		if old, spoken := got[f.Requirement]; !spoken || f.Verdict.Worse(old) {
			got[f.Requirement] = f.Verdict
		}
	}
	return got
}

// Of are the registered scenarios of a profile.
func Of(profile string) []suites.Scenario {
	return slices.DeleteFunc(suites.Scenarios(), func(s suites.Scenario) bool { return s.Profile != profile })
}

// catalogue is read once: the stories ask for it many times.
var catalogue = sync.OnceValues(requirements.All)

func levelsOf(t *testing.T) map[string]suites.Level {
	t.Helper()
	all, err := catalogue()
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
