// Package conduct is a conformance run from beginning to end: everything is checked that can be checked before anything
// starts, then the plan is run, the record is read back and judged, and the output directory is filled.
//
// It is what `muster conformance` calls after reading its flags. Errors are sorted by whose they are: a UsageError is
// the user's (exit 2, nothing was started); every other one is the harness's (exit 3). Violations are no errors: they
// are in the report, with the exit code.
package conduct
