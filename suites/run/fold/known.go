package fold

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"muster/suites"
)

// Subject is who is judged, as far as known findings go.
type Subject struct {
	Scheduler string
	Version   string
}

// KnownFinding says that one scheduler is known to fail one requirement. The list decides what gates and nothing
// else: level, maturity and verdict never depend on a scheduler's result.
type KnownFinding struct {
	// Scheduler is the name in the scheduler profile, "*" for every scheduler (a failure of the control plane); Version
	// its version, "*" for every version.
	Scheduler string `json:"scheduler"`
	Version   string `json:"version"`
	// Requirement that fails.
	Requirement string `json:"requirement"`
	// Check that finds it; empty for the scenarios' own judges.
	Check string `json:"check,omitempty"`
	// Scenario that shows it, where only one does so reliably (a race, say). A run without that scenario neither
	// confirms nor refutes the entry, so that a Pass does not make it stale there.
	Scenario string `json:"scenario,omitempty"`
	// Only: findings in other scenarios are not excused. For invariants, which are judged in all of them.
	Only bool `json:"only,omitempty"`
	// Reason says why it fails and where that is written down. Required.
	Reason string `json:"reason"`
}

// knownFile is the form on disk.
type knownFile struct {
	Findings []KnownFinding `json:"findings"`
}

// ParseKnown reads a known-findings file (YAML: findings: [{scheduler, version, requirement, check, reason}]).
// Unknown fields and entries without a scheduler, version, requirement or reason are errors: a list that does not say
// what it excuses excuses too much.
func ParseKnown(data []byte) ([]KnownFinding, error) {
	var f knownFile
	if err := yaml.UnmarshalStrict(data, &f); err != nil {
		return nil, fmt.Errorf("reading known findings: %w", err)
	}
	var errs []error
	for i, k := range f.Findings {
		if k.Only && k.Scenario == "" {
			errs = append(errs, fmt.Errorf("known finding %d (%s): it is said of one scenario only, and the scenario is missing", i+1, k.Requirement))
		}
		for _, field := range []struct{ name, value string }{
			{"scheduler", k.Scheduler}, {"version", k.Version}, {"requirement", k.Requirement}, {"reason", k.Reason},
		} {
			if strings.TrimSpace(field.value) == "" {
				errs = append(errs, fmt.Errorf("known finding %d (%s): %s is missing", i+1, k.Requirement, field.name))
			}
		}
	}
	return f.Findings, errors.Join(errs...)
}

// appliesTo reports whether the entry speaks about this scheduler.
func (k KnownFinding) appliesTo(s Subject) bool {
	return (k.Scheduler == "*" || k.Scheduler == s.Scheduler) && (k.Version == "*" || k.Version == s.Version)
}

// excuses reports whether the entry is about what was found.
func (k KnownFinding) excuses(f Located) bool {
	return k.Check == f.Check && (!k.Only || k.Scenario == f.Scenario)
}

// excuse applies the known findings. A Fail is known only when every failing finding is listed: one unlisted violation
// gates. A listed requirement that passed is stale.
func (o *Outcome) excuse(known []KnownFinding, subject Subject) {
	var listed []KnownFinding
	tried := false
	for _, k := range known {
		if k.appliesTo(subject) && k.Requirement == o.Requirement.ID {
			listed = append(listed, k)
			tried = tried || (k.Scenario == "" && !o.Partial()) || o.ranIn(k.Scenario)
		}
	}
	if len(listed) == 0 {
		return
	}
	if o.Verdict == suites.Pass && tried {
		o.Stale = true
		o.Reason = fmt.Sprintf("passed although %s %s is listed as known to fail it: take the entry off the list",
			subject.Scheduler, subject.Version)
		return
	}
	if o.Verdict != suites.Fail {
		return
	}
	why := ""
	for _, f := range o.Findings {
		if f.Verdict != suites.Fail {
			continue
		}
		i := slices.IndexFunc(listed, func(k KnownFinding) bool { return k.excuses(f) })
		if i < 0 {
			return
		}
		why = listed[i].Reason
	}
	o.Known = why
}

// ranIn reports whether the scenario has a share in the outcome.
func (o *Outcome) ranIn(scenario string) bool {
	return slices.ContainsFunc(o.Scenarios, func(s ScenarioVerdict) bool { return s.Name == scenario })
}
