package fold

import (
	"fmt"
	"slices"
	"strings"

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
// for by name; a profile of them in which no MUST was executed is undecided, however many passed elsewhere. Where none
// was named the run is about whatever there is: a profile that the control plane does not offer is left to the report,
// and only a run in which no MUST at all was executed is undecided. A MAY never decides: one that could not be observed is counted, and an Error in one is still muster's own
// fault and therefore exit 3.
func Exit(outcomes []Outcome, requested []string, interrupted bool) (int, string) {
	if interrupted {
		return ExitInterrupted, "interrupted: the report is incomplete"
	}
	if ids := which(outcomes, Outcome.Gates); len(ids) > 0 {
		return ExitViolations, told(ids, "gates", "gate")
	}
	undecided := func(o Outcome) bool {
		return o.Verdict == suites.Error || (o.Verdict == suites.Inconclusive && o.Requirement.Judged())
	}
	if ids := which(outcomes, undecided); len(ids) > 0 {
		return ExitUndecided, told(ids, "could not be decided", "could not be decided")
	}
	for _, p := range Profiles(outcomes, true) {
		if slices.Contains(requested, p.Name) && p.MustsExecuted == 0 && hasMust(outcomes, p.Name) {
			return ExitUndecided, fmt.Sprintf("no MUST of profile %s was executed%s", p.Name, because(outcomes, p.Name))
		}
	}
	if len(requested) == 0 && !slices.ContainsFunc(outcomes, executedMust) {
		return ExitUndecided, "no MUST was executed"
	}
	return ExitOK, ""
}

func executedMust(o Outcome) bool { return o.Executed && o.Requirement.Level == suites.Must }

// because says why, where all MUSTs of the profile have the same reason.
func because(outcomes []Outcome, profile string) string {
	why := ""
	for _, o := range outcomes {
		if o.Requirement.Profile != profile || o.Requirement.Level != suites.Must {
			continue
		}
		if o.Reason == "" || why != "" && why != o.Reason {
			return ""
		}
		why = o.Reason
	}
	return ": " + why
}

// which are the IDs of the outcomes of a kind.
func which(outcomes []Outcome, f func(Outcome) bool) []string {
	var ids []string
	for _, o := range outcomes {
		if f(o) {
			ids = append(ids, o.Requirement.ID)
		}
	}
	return ids
}

// namedAtMost requirements are named in a reason; the report has them all.
const namedAtMost = 12

// told is a sentence about some requirements, in the singular or the plural.
func told(ids []string, one, many string) string {
	if len(ids) == 1 {
		return ids[0] + " " + one
	}
	list := strings.Join(ids[:min(len(ids), namedAtMost)], ", ")
	if left := len(ids) - namedAtMost; left > 0 {
		list += fmt.Sprintf(" and %d more", left)
	}
	return fmt.Sprintf("%d requirements %s: %s", len(ids), many, list)
}

func hasMust(outcomes []Outcome, profile string) bool {
	return slices.ContainsFunc(outcomes, func(o Outcome) bool {
		return o.Requirement.Profile == profile && o.Requirement.Level == suites.Must
	})
}
