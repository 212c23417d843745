package compose

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"muster/reports/v1alpha1"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/run/fold"
	"muster/suites/run/judge"
)

// Stored judges histories that were written by one run and says what the input of their report is, as far as the
// histories know it. The second result are warnings: scenarios this muster does not have. An error that is a
// *history.Problem is about a header: it says what nobody could have recorded, or is of another run than the others.
//
// The expected set is what the main history's header says. Where the main history is not among them, it is what the
// scenarios in them name, what their findings speak of, and the invariants.
func Stored(j *judge.Judge, histories []*history.History) (Input, []error, error) {
	var in Input
	var warnings []error
	if len(histories) == 0 {
		return in, nil, fmt.Errorf("judging: no history was given")
	}
	if err := together(histories); err != nil {
		return in, nil, err
	}
	expected := map[string]bool{}
	known := false
	for _, h := range histories {
		about, ok, err := readInfo(j, h)
		if err != nil {
			return in, nil, err
		}
		in.Profile = h.Header.Scheduler
		results, unknown, err := j.History(h)
		if err != nil {
			return in, nil, err
		}
		in.Scenarios = append(in.Scenarios, results...)
		warnings = append(warnings, unknown...)
		// A slice holds one scenario, whatever its header says about the run it was cut from.
		if ok && h.Header.Slice == "" {
			known = true
			for _, id := range about.expected {
				expected[id] = true
			}
			in.Narrowed = about.narrowed
			if about.named {
				in.Profiles = about.profiles
			}
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
