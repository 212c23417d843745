package prove

import (
	"slices"

	"muster/reports/v1alpha1"
	"muster/suites"
)

// Enough is the share of its profiles' MUSTs and SHOULDs that a mutant must pass for its kills to count.
const Enough = 0.8

// Trial is what one scheduler was found to do.
type Trial struct {
	// Scheduler is a mutant's name; empty for the reference scheduler.
	Scheduler string `json:"scheduler,omitempty"`
	// Full: its profiles were run as a whole.
	Full bool `json:"full"`
	// Failed are the MUSTs and SHOULDs found violated, Passed those found kept, Open those without a verdict either way,
	// with the verdict.
	Failed []string          `json:"failed,omitempty"`
	Passed []string          `json:"passed,omitempty"`
	Open   map[string]string `json:"open,omitempty"`
	// Reasons of what Failed, by requirement.
	Reasons map[string]string `json:"reasons,omitempty"`
	Seconds float64           `json:"seconds"`
	Seed    int64             `json:"seed"`
	// Error: it was not judged to the end, and why.
	Error string `json:"error,omitempty"`
}

// trialOf reads a report.
func trialOf(scheduler string, full bool, r *v1alpha1.ConformanceReport) Trial {
	t := Trial{Scheduler: scheduler, Full: full, Open: map[string]string{}, Reasons: map[string]string{},
		Seconds: r.Provenance.Seconds, Seed: r.Provenance.Seed}
	for _, q := range r.Requirements {
		switch {
		case q.Level == suites.May:
		case q.Verdict == suites.Fail:
			t.Failed = append(t.Failed, q.ID)
			t.Reasons[q.ID] = q.Reason
		case q.Verdict == suites.Pass:
			t.Passed = append(t.Passed, q.ID)
		default:
			t.Open[q.ID] = string(q.Verdict)
		}
	}
	if r.Summary.Incomplete {
		t.Error = "the run ended before all scenarios did"
	}
	return t
}

// cut reports whether a trial of an interrupted run had not ended.
func (t Trial) cut() bool { return t.Error != "" || len(t.Passed)+len(t.Failed)+len(t.Open) == 0 }

// Share of what was judged that passed; 0 where nothing was.
func (t Trial) Share() float64 {
	if len(t.Passed)+len(t.Failed) == 0 {
		return 0
	}
	return float64(len(t.Passed)) / float64(len(t.Passed)+len(t.Failed))
}

// Result is what a trial says about a mutant.
type Result struct {
	Subject
	Trial Trial `json:"trial"`
	// Killed are the declared requirements that were found violated, Survived those that were not, Beyond those found
	// violated that nobody declared.
	Killed   []string `json:"killed,omitempty"`
	Survived []string `json:"survived,omitempty"`
	Beyond   []string `json:"beyond,omitempty"`
	// Counts: its kills prove something. Why not, where they do not.
	Counts bool   `json:"counts"`
	Why    string `json:"why,omitempty"`
}

// resultOf compares what a mutant declares with what it was found to do.
func resultOf(s Subject, t Trial) Result {
	r := Result{Subject: s, Trial: t}
	for _, id := range s.Kills {
		if slices.Contains(t.Failed, id) {
			r.Killed = append(r.Killed, id)
		} else {
			r.Survived = append(r.Survived, id)
		}
	}
	for _, id := range t.Failed {
		if !slices.Contains(s.Kills, id) && !slices.Contains(s.May, id) {
			r.Beyond = append(r.Beyond, id)
		}
	}
	switch {
	case t.Error != "":
		r.Why = t.Error
	case len(r.Killed) == 0:
		r.Why = "nothing kills it"
	case len(r.Survived) > 0:
		r.Why = "it was not found to violate all it declares"
	case len(r.Beyond) > 0:
		r.Why = "it violates what it does not declare"
	case t.Full && t.Share() < Enough:
		r.Why = "it passes too little of its profile"
	default:
		r.Counts = true
	}
	return r
}
