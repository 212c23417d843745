package fold

import (
	"fmt"
	"slices"
	"strings"

	"muster/suites"
)

// ScenarioVerdict is one scenario's share in a requirement's verdict.
type ScenarioVerdict struct {
	Name    string         `json:"name"`
	Verdict suites.Verdict `json:"verdict"`
}

// Located is a finding together with the scenario whose history shows it.
type Located struct {
	suites.Finding
	Scenario string `json:"scenario"`
}

// Outcome is the verdict on one requirement and what it rests on.
type Outcome struct {
	Requirement suites.Requirement
	Verdict     suites.Verdict
	// Value of a MAY: the values of its scenarios, one after the other.
	Value string
	// Reason is the message of the finding that decided, or why there is no verdict.
	Reason string
	// Known is the reason under which the Fail is listed as known; empty where it is not.
	Known string
	// Stale is set when a listed requirement passed: the list is out of date, which gates like a Fail.
	Stale bool
	// Executed: at least one of its scenarios (for an invariant: one that exercised it) came to its end where what it is
	// about is supported.
	Executed bool
	// Asked is how many of the scenarios that name the requirement were asked for, Of how many there are.
	Asked, Of int
	Scenarios []ScenarioVerdict
	Findings  []Located

	// off is why it is not supported, where no scenario's control plane supports it; on: one does.
	off string
	on  bool
}

// Gates reports whether this outcome alone makes the run a violation (exit 1).
func (o Outcome) Gates() bool {
	return o.Stale || (o.Verdict == suites.Fail && o.Requirement.Level == suites.Must && o.Known == "")
}

// Partial: some of its scenarios were not asked for, so that the verdict speaks only of the others.
func (o Outcome) Partial() bool { return o.Asked < o.Of }

// Fold gives the verdict on every expected requirement, in the order of the expected set. known may be nil; subject is
// the scheduler that is judged.
func Fold(expected []suites.Requirement, scenarios []Scenario, known []KnownFinding, subject Subject) []Outcome {
	normal := make([][]suites.Finding, len(scenarios))
	for i, s := range scenarios {
		normal[i] = s.Normal()
	}
	out := make([]Outcome, 0, len(expected))
	for _, r := range expected {
		o := Outcome{Requirement: r}
		for i, s := range scenarios {
			o.add(s, normal[i])
		}
		o.conclude()
		if len(scenarios) == 0 {
			o.Reason = noScenarios
		}
		o.excuse(known, subject)
		out = append(out, o)
	}
	return out
}

// noScenarios is why nothing is said where there was nothing to judge: a record of a measurement, or of a cluster that
// was only watched.
const noScenarios = "the record holds no scenario that this muster judges"

// add takes in what one scenario says about the requirement.
func (o *Outcome) add(s Scenario, findings []suites.Finding) {
	if slices.Contains(s.Requirements, o.Requirement.ID) {
		o.Of++
		if s.Status != Filtered {
			o.Asked++
		}
	}
	if s.Status == Filtered {
		return
	}
	if why, off := s.Unsupported[o.Requirement.ID]; off {
		o.off = why
	} else {
		o.on = true
	}
	worst, any := suites.Observed, false
	for _, f := range findings {
		if f.Requirement != o.Requirement.ID {
			continue
		}
		f = asLevel(o.Requirement, f)
		o.Findings = append(o.Findings, Located{Finding: f, Scenario: s.Name})
		if !any || f.Verdict.Worse(worst) {
			worst, any = f.Verdict, true
		}
	}
	if !any {
		return
	}
	o.Scenarios = append(o.Scenarios, ScenarioVerdict{Name: s.Name, Verdict: worst})
	o.Executed = o.Executed || s.Status == Executed && worst != suites.NotSupported
}

// asLevel turns a finding that does not suit the requirement's level into an Error: a MAY is never passed or failed,
// and a MUST or SHOULD is never merely observed. Either is a mistake in the suite and must not read as a result.
func asLevel(r suites.Requirement, f suites.Finding) suites.Finding {
	wrong := f.Verdict == suites.Observed
	if !r.Judged() {
		wrong = f.Verdict == suites.Pass || f.Verdict == suites.Fail
	}
	if wrong {
		f.Message = fmt.Sprintf("a %s cannot be %s: %s", r.Level, f.Verdict, f.Message)
		f.Verdict = suites.Error
	}
	return f
}

// conclude folds the scenarios' verdicts: the worst decides.
func (o *Outcome) conclude() {
	if len(o.Scenarios) == 0 {
		o.Verdict, o.Reason = suites.Skipped, "no scenario that was run exercised it"
		switch {
		case o.off != "" && !o.on:
			o.Verdict, o.Reason = suites.NotSupported, o.off // an invariant: nobody names it
		case o.Of > 0:
			o.Reason = NotAsked
		}
		return
	}
	o.Verdict = o.Scenarios[0].Verdict
	for _, s := range o.Scenarios[1:] {
		if s.Verdict.Worse(o.Verdict) {
			o.Verdict = s.Verdict
		}
	}
	var values []string
	for _, f := range o.Findings {
		if f.Verdict == o.Verdict && o.Reason == "" {
			o.Reason = f.Message
		}
		if f.Value != "" && !slices.Contains(values, f.Value) {
			values = append(values, f.Value)
		}
	}
	o.Value = strings.Join(values, "; ")
}
