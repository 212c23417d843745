package fold

import (
	"fmt"
	"math"
	"time"

	"muster/suites"
)

// Counts is how many requirements ended how. Every requirement is counted once, so the fields add up to the total.
type Counts struct {
	// Passed MUSTs and SHOULDs.
	Passed int `json:"passed"`
	// Failed are the MUSTs that gate, and listed requirements that passed (the list is stale).
	Failed int `json:"failed"`
	// Known are the failed requirements that are listed in known findings.
	Known int `json:"known"`
	// Warnings are the failed SHOULDs.
	Warnings     int `json:"warnings"`
	Inconclusive int `json:"inconclusive"`
	Errors       int `json:"errors"`
	NotSupported int `json:"notSupported"`
	Skipped      int `json:"skipped"`
	// Observed MAYs.
	Observed int `json:"observed"`
}

// Count counts outcomes.
func Count(outcomes []Outcome) Counts {
	var c Counts
	for _, o := range outcomes {
		switch {
		case o.Gates():
			c.Failed++
		case o.Known != "":
			c.Known++
		default:
			*c.slot(o.Verdict)++
		}
	}
	return c
}

func (c *Counts) slot(v suites.Verdict) *int {
	switch v {
	case suites.Pass:
		return &c.Passed
	case suites.Fail:
		return &c.Warnings
	case suites.Inconclusive:
		return &c.Inconclusive
	case suites.NotSupported:
		return &c.NotSupported
	case suites.Skipped:
		return &c.Skipped
	case suites.Observed:
		return &c.Observed
	default:
		return &c.Errors
	}
}

// Total number of requirements.
func (c Counts) Total() int {
	return c.Passed + c.Failed + c.Known + c.Warnings + c.Inconclusive + c.Errors + c.NotSupported + c.Skipped + c.Observed
}

// Line is the last line that `muster conformance` and `muster judge` print on stdout. Scripts read it: its form is
// part of the interface.
func (c Counts) Line(took time.Duration) string {
	return fmt.Sprintf("conformance: %d passed, %d failed, %d known, %d warnings, %d inconclusive, %d errors, "+
		"%d not supported, %d skipped, %d observed (%d requirements, %d s)",
		c.Passed, c.Failed, c.Known, c.Warnings, c.Inconclusive, c.Errors,
		c.NotSupported, c.Skipped, c.Observed, c.Total(), int(math.Round(took.Seconds())))
}
