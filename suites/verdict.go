package suites

// Verdict is what is known about a requirement after a run. It is never a bare boolean: "we could not tell" and
// "it does not apply here" are answers of their own, and neither of them is a pass.
type Verdict string

const (
	// Pass: the premise was established and the requirement held.
	Pass Verdict = "Pass"
	// Fail: the history contains a violation.
	Fail Verdict = "Fail"
	// Error: muster itself (the harness, the driver, the control plane) broke; the scheduler is not to blame.
	Error Verdict = "Error"
	// Inconclusive: the premise could not be proven, or the record has a gap where it matters.
	Inconclusive Verdict = "Inconclusive"
	// NotSupported: the control plane does not offer what the requirement is about (API, field, gate), or the user
	// declared the feature unsupported. Nothing else is NotSupported.
	NotSupported Verdict = "NotSupported"
	// Skipped: the scenario was not run (filtered out, or the run was interrupted before its turn).
	Skipped Verdict = "Skipped"
	// Observed: a MAY; its value is reported and never judged.
	Observed Verdict = "Observed"
)

// severity orders verdicts for the fold (design: Fail > Error > Inconclusive > NotSupported > Skipped > Pass).
// Observed ranks below Pass: it never decides anything.
var severity = map[Verdict]int{
	Observed: 0, Pass: 1, Skipped: 2, NotSupported: 3, Inconclusive: 4, Error: 5, Fail: 6,
}

// Known reports whether v is one of the seven verdicts.
func (v Verdict) Known() bool { _, ok := severity[v]; return ok }

// Worse reports whether v decides against other when both are verdicts on one requirement.
// An unknown verdict is worse than any known one: a typo must not pass.
func (v Verdict) Worse(other Verdict) bool { return rank(v) > rank(other) }

func rank(v Verdict) int {
	if r, ok := severity[v]; ok {
		return r
	}
	return len(severity)
}
