package fold

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"muster/suites"
)

var (
	verdicts = []suites.Verdict{suites.Pass, suites.Fail, suites.Error, suites.Inconclusive, suites.NotSupported, suites.Skipped, suites.Observed, "Fine"}
	statuses = []Status{Executed, Broken, Interrupted, Unsupported, NotRun, Filtered}
)

func drawRun(t *rapid.T) ([]suites.Requirement, []Scenario) {
	levels := []suites.Level{suites.Must, suites.Should, suites.May}
	var reqs []suites.Requirement
	for i := range rapid.IntRange(1, 4).Draw(t, "requirements") {
		r := req(fmt.Sprintf("GANG-%03d", i+1), rapid.SampledFrom(levels).Draw(t, "level"))
		reqs = append(reqs, r)
	}
	ids := make([]string, len(reqs))
	for i, r := range reqs {
		ids[i] = r.ID
	}
	var scenarios []Scenario
	for i := range rapid.IntRange(0, 4).Draw(t, "scenarios") {
		s := Scenario{Name: fmt.Sprintf("s%d", i), Status: rapid.SampledFrom(statuses).Draw(t, "status")}
		s.Requirements = rapid.SliceOfNDistinct(rapid.SampledFrom(ids), 1, len(ids), rapid.ID[string]).Draw(t, "named")
		for range rapid.IntRange(0, 4).Draw(t, "findings") {
			s.Findings = append(s.Findings, suites.Finding{
				Requirement: rapid.SampledFrom(ids).Draw(t, "about"),
				Verdict:     rapid.SampledFrom(verdicts).Draw(t, "verdict"),
				Check:       rapid.SampledFrom([]string{"", "", "NoCrash"}).Draw(t, "check"),
			})
		}
		scenarios = append(scenarios, s)
	}
	return reqs, scenarios
}

// A pass of a judged requirement needs every scenario that names it and was asked for to have come to its
// end and to say Pass; without those that were not asked for it is partial.
func TestPassNeedsEveryScenario(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reqs, scenarios := drawRun(t)
		for _, o := range Fold(reqs, scenarios, nil, Subject{}) {
			if o.Verdict != suites.Pass {
				continue
			}
			for _, s := range scenarios {
				if !slices.Contains(s.Requirements, o.Requirement.ID) {
					continue
				}
				if s.Status == Filtered {
					if !o.Partial() {
						t.Fatalf("%s passed whole without %s", o.Requirement.ID, s.Name)
					}
					continue
				}
				if s.Status != Executed {
					t.Fatalf("%s passed although %s ended %s", o.Requirement.ID, s.Name, s.Status)
				}
				for _, f := range s.For(o.Requirement.ID) {
					if f.Verdict != suites.Pass {
						t.Fatalf("%s passed although %s says %s", o.Requirement.ID, s.Name, f.Verdict)
					}
				}
			}
		}
	})
}

// Every requirement gets exactly one known verdict that suits its level, is counted once, and the order of the
// scenarios changes none of it.
func TestFoldIsTotalAndOrderFree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reqs, scenarios := drawRun(t)
		out := Fold(reqs, scenarios, nil, Subject{})
		if Count(out).Total() != len(reqs) {
			t.Fatalf("%d requirements counted as %+v", len(reqs), Count(out))
		}
		reversed := slices.Clone(scenarios)
		slices.Reverse(reversed)
		again := Fold(reqs, reversed, nil, Subject{})
		for i, o := range out {
			if !o.Verdict.Known() || o.Verdict != again[i].Verdict {
				t.Fatalf("%s: %q, reversed %q", o.Requirement.ID, o.Verdict, again[i].Verdict)
			}
			judged := o.Requirement.Judged()
			if judged && o.Verdict == suites.Observed || !judged && (o.Verdict == suites.Pass || o.Verdict == suites.Fail) {
				t.Fatalf("a %s is %s", o.Requirement.Level, o.Verdict)
			}
		}
	})
}

// A scenario more can only make a requirement's verdict worse, once any scenario spoke about it.
func TestMoreScenariosNeverHelp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reqs, scenarios := drawRun(t)
		if len(scenarios) < 2 {
			return
		}
		fewer := Fold(reqs, scenarios[:len(scenarios)-1], nil, Subject{})
		all := Fold(reqs, scenarios, nil, Subject{})
		for i := range all {
			if len(fewer[i].Scenarios) > 0 && fewer[i].Verdict.Worse(all[i].Verdict) {
				t.Fatalf("%s went from %s to %s", all[i].Requirement.ID, fewer[i].Verdict, all[i].Verdict)
			}
		}
	})
}
