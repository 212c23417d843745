// Package fold turns findings into verdicts, and verdicts into an exit code.
//
// Judges and checks speak about one scenario at a time. A reader asks about requirements. The fold stands between
// them, and it is the only place that does: live runs, `muster judge` and the report all go through it, so they cannot
// disagree.
//
// Three rules carry it. A requirement's verdict is the worst over the scenarios that exercise it, so one violation is
// enough and a pass needs every scenario to pass. Silence is never a pass: a scenario that names a requirement and
// says nothing about it makes it Inconclusive, and one that speaks about a requirement it never named is a mistake in
// muster, hence an Error. And the level of a requirement decides what its verdict means, never the other way round: a
// MAY is observed and gates nothing; a failed SHOULD is a warning; a failed MUST gates unless known findings list it.
//
// The package is pure: no clock, no cluster, no files.
package fold
