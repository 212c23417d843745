package fold

import (
	"fmt"
	"slices"
	"time"

	"muster/suites"
)

// Status says how a scenario ended.
type Status string

const (
	// Executed: Drive came to its end; what it established is for the findings to say.
	Executed Status = "Executed"
	// Broken: the harness or the control plane broke under it; its requirements are Error.
	Broken Status = "Broken"
	// Interrupted: it was cut short (Ctrl-C, or the record ends in the middle); its requirements are Inconclusive.
	Interrupted Status = "Interrupted"
	// Unsupported: the control plane lacks something it needs; its requirements are NotSupported.
	Unsupported Status = "NotSupported"
	// NotRun: the run ended before its turn.
	NotRun Status = "Skipped"
	// Filtered: it was not asked for. It has no share in the verdicts, which are partial without it.
	Filtered Status = "NotAsked"
)

// NotAsked is the reason of a scenario that was filtered out.
const NotAsked = "not asked for"

// Known reports whether s is one of the statuses.
func (s Status) Known() bool {
	return slices.Contains([]Status{Executed, Broken, Interrupted, Unsupported, NotRun, Filtered}, s)
}

// Scenario is what is known about one scenario after a run, or after reading a stored one.
type Scenario struct {
	Name    string `json:"name"`
	Profile string `json:"profile,omitempty"`
	// Requirements are the IDs it names.
	Requirements []string `json:"requirements"`
	Status       Status   `json:"status"`
	// Reason says why, where the status is not Executed.
	Reason string `json:"reason,omitempty"`
	// Unsupported are requirements that the control plane of its cluster cannot offer, or that the user declared
	// unsupported: requirement → reason. Whatever is found about them here does not count.
	Unsupported map[string]string `json:"unsupported,omitempty"`
	// Findings of its own Judge and of the invariant checks over its scope, as they were returned.
	Findings []suites.Finding `json:"findings,omitempty"`
	// Shard is the history file (without directory) that holds it.
	Shard string `json:"shard,omitempty"`
	// Took is the time between its begin and its end as the recorder saw them.
	Took time.Duration `json:"took,omitempty"`
}

// Verdict of the scenario as a whole: the worst of its findings, those of checks included.
func (s Scenario) Verdict() suites.Verdict {
	worst := s.assumed()
	for _, f := range s.Normal() {
		if f.Verdict.Worse(worst) {
			worst = f.Verdict
		}
	}
	return worst
}

// assumed is the verdict that the status alone implies.
func (s Scenario) assumed() suites.Verdict {
	switch s.Status {
	case Executed:
		return suites.Observed
	case Interrupted:
		return suites.Inconclusive
	case Unsupported:
		return suites.NotSupported
	case NotRun, Filtered:
		return suites.Skipped
	default:
		return suites.Error
	}
}

// Normal returns the findings after the rules that hold for every scenario: at least one finding for each named
// requirement, none for another one (checks excepted), and only known verdicts. Findings of a scenario that did not
// come to its end are replaced by what its status implies, except a violation that a check has proven: a history that
// was cut short can still contain one.
func (s Scenario) Normal() []suites.Finding {
	var out []suites.Finding
	spoken := map[string]bool{}
	for _, f := range s.Findings {
		own := f.Check == ""
		if _, off := s.Unsupported[f.Requirement]; off {
			continue
		}
		switch {
		case !f.Verdict.Known():
			f.Message = fmt.Sprintf("the judge of %s returned the unknown verdict %q: %s", s.Name, f.Verdict, f.Message)
			f.Verdict = suites.Error
		case own && !slices.Contains(s.Requirements, f.Requirement):
			f.Message = fmt.Sprintf("scenario %s speaks about %s, which it does not name: %s", s.Name, f.Requirement, f.Message)
			f.Verdict = suites.Error
		}
		if s.Status != Executed && (own || f.Verdict != suites.Fail) {
			continue
		}
		if own {
			spoken[f.Requirement] = true
		}
		out = append(out, f)
	}
	for _, id := range s.Requirements {
		if spoken[id] {
			continue
		}
		f := suites.Finding{Requirement: id, Verdict: s.assumed(), Message: s.Reason}
		if why, off := s.Unsupported[id]; off {
			f.Verdict, f.Message = suites.NotSupported, why
		} else if s.Status == Executed {
			f.Verdict = suites.Inconclusive
			f.Message = fmt.Sprintf("scenario %s returned no finding for %s", s.Name, id)
		}
		out = append(out, f)
	}
	return out
}

// For returns the normalised findings about one requirement.
func (s Scenario) For(id string) []suites.Finding {
	var out []suites.Finding
	for _, f := range s.Normal() {
		if f.Requirement == id {
			out = append(out, f)
		}
	}
	return out
}
