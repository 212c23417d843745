package fold

import (
	"fmt"
	"slices"

	"muster/suites"
)

// Exit codes of the verbs that judge (design §5); the first that applies wins.
const (
	ExitOK          = 0
	ExitViolations  = 1
	ExitUsage       = 2
	ExitUndecided   = 3
	ExitPerformance = 4
	ExitInterrupted = 130
)

// Exit is the exit code of a run and why, in one sentence (empty for 0). requested are the profiles that were asked
// for by name or by default; a profile of them in which no MUST was executed is undecided, however many passed
// elsewhere. A MAY never decides: one that could not be observed is counted, and an Error in one is still muster's own
// fault and therefore exit 3.
func Exit(outcomes []Outcome, requested []string, interrupted bool) (int, string) {
	if interrupted {
		return ExitInterrupted, "interrupted: the report is incomplete"
	}
	if id := first(outcomes, Outcome.Gates); id != "" {
		return ExitViolations, fmt.Sprintf("%s gates", id)
	}
	undecided := func(o Outcome) bool {
		return o.Verdict == suites.Error || (o.Verdict == suites.Inconclusive && o.Requirement.Judged())
	}
	if id := first(outcomes, undecided); id != "" {
		return ExitUndecided, fmt.Sprintf("%s could not be decided", id)
	}
	for _, p := range Profiles(outcomes, true) {
		if slices.Contains(requested, p.Name) && p.MustsExecuted == 0 && hasMust(outcomes, p.Name) {
			return ExitUndecided, fmt.Sprintf("no MUST of profile %s was executed", p.Name)
		}
	}
	return ExitOK, ""
}

func first(outcomes []Outcome, f func(Outcome) bool) string {
	for _, o := range outcomes {
		if f(o) {
			return o.Requirement.ID
		}
	}
	return ""
}

func hasMust(outcomes []Outcome, profile string) bool {
	return slices.ContainsFunc(outcomes, func(o Outcome) bool {
		return o.Requirement.Profile == profile && o.Requirement.Level == suites.Must
	})
}
