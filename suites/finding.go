package suites

import (
	"fmt"

	"muster/suites/history"
)

// Finding is one thing a judge or a check has to say about one requirement. A Judge returns at least one finding for
// every requirement its scenario names: silence is not a pass (the fold turns it into Inconclusive).
type Finding struct {
	// Requirement is the ID this finding speaks about.
	Requirement string `json:"requirement"`
	// Check names the invariant check that found it, empty for a scenario's own Judge.
	Check   string  `json:"check,omitempty"`
	Verdict Verdict `json:"verdict"`
	// Message says what was seen, where, and what was expected.
	Message string `json:"message,omitempty"`
	// Value is the observed value of a MAY ("3 of 5 evicted", "back-off retry, 9.8 s").
	Value string `json:"value,omitempty"`
	// Objects are the objects involved, as "pod ns/name", "podgroup ns/name", "node name".
	Objects []string `json:"objects,omitempty"`
	// At is the place in the history that shows it (zero where it is about the whole).
	At history.Stamp `json:"at,omitzero"`
}

// Passed is a Pass for id. The message says what was established; it is shown with -v and kept in the report.
func Passed(id, format string, args ...any) Finding {
	return Finding{Requirement: id, Verdict: Pass, Message: fmt.Sprintf(format, args...)}
}

// Failed is a Fail for id.
func Failed(id, format string, args ...any) Finding {
	return Finding{Requirement: id, Verdict: Fail, Message: fmt.Sprintf(format, args...)}
}

// Unproven is an Inconclusive for id: its premise was not established, or the record does not reach.
func Unproven(id, format string, args ...any) Finding {
	return Finding{Requirement: id, Verdict: Inconclusive, Message: fmt.Sprintf(format, args...)}
}

// Saw is an Observed for a MAY, with its value.
func Saw(id, value, format string, args ...any) Finding {
	return Finding{Requirement: id, Verdict: Observed, Value: value, Message: fmt.Sprintf(format, args...)}
}

// Holds is Passed when ok and Failed otherwise, with one message for both.
func Holds(ok bool, id, format string, args ...any) Finding {
	if ok {
		return Passed(id, format, args...)
	}
	return Failed(id, format, args...)
}

// With returns the finding with the objects it is about.
func (f Finding) With(at history.Stamp, objects ...string) Finding {
	f.At, f.Objects = at, append(f.Objects, objects...)
	return f
}
