package compose

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"muster/reports/v1alpha1"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/run"
	"muster/suites/run/fold"
	"muster/suites/run/judge"
)

// Stored judges histories that were written by one run and says what the input of their report is, as far as the
// histories know it. The third result are warnings: scenarios this muster does not have.
//
// The expected set is what the main history's header says. Where the main history is not among them, it is what the
// scenarios in them name, what their findings speak of, and the invariants.
func Stored(j *judge.Judge, histories []*history.History) (Input, []error, error) {
	var in Input
	var warnings []error
	if len(histories) == 0 {
		return in, nil, fmt.Errorf("judging: no history was given")
	}
	expected := map[string]bool{}
	known := false
	for _, h := range histories {
		if in.Profile.Name != "" && h.Header.Scheduler.Name != in.Profile.Name {
			return in, nil, fmt.Errorf("judging: %s is a history of scheduler %s and %s of %s: judge them one at a time",
				histories[0].Name, in.Profile.Name, h.Name, h.Header.Scheduler.Name)
		}
		in.Profile = h.Header.Scheduler
		results, unknown, err := j.History(h)
		if err != nil {
			return in, nil, err
		}
		in.Scenarios = append(in.Scenarios, results...)
		warnings = append(warnings, unknown...)
		// A slice holds one scenario, whatever its header says about the run it was cut from.
		if ids, ok := h.Header.MusterInfo[run.InfoExpected]; ok && h.Header.Slice == "" {
			known = true
			for _, id := range split(ids) {
				expected[id] = true
			}
			in.Profiles = split(h.Header.MusterInfo[run.InfoProfiles])
			in.Narrowed, _ = strconv.ParseBool(h.Header.MusterInfo[run.InfoNarrowed])
		}
	}
	if !known {
		in.Narrowed = true
		for _, s := range in.Scenarios {
			for _, id := range s.Requirements {
				expected[id] = true
			}
			for _, f := range s.Findings {
				expected[f.Requirement] = true // checks speak of requirements that no scenario here names
			}
		}
	}
	in.Expected = slices.DeleteFunc(slices.Clone(j.Requirements), func(r suites.Requirement) bool {
		return !expected[r.ID] && (known || r.Profile != fold.Invariants)
	})
	slices.SortFunc(in.Expected, func(a, b suites.Requirement) int { return strings.Compare(a.ID, b.ID) })
	slices.SortFunc(in.Scenarios, func(a, b fold.Scenario) int { return strings.Compare(a.Name, b.Name) })
	first := histories[0].Header
	in.Provenance = v1alpha1.Provenance{
		Started: first.Started, Seed: first.Seed, Versions: first.Versions,
		Muster: v1alpha1.Muster{Version: first.MusterInfo["version"], Revision: first.MusterInfo["revision"]},
	}
	in.Took = span(histories)
	return in, warnings, nil
}

func split(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}

// span is the longest of the histories.
func span(histories []*history.History) time.Duration {
	var longest time.Duration
	for _, h := range histories {
		if n := len(h.Events); n > 0 {
			longest = max(longest, h.Events[n-1].Mono)
		}
	}
	return longest
}
