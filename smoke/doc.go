// Package smoke executes the built binary the way a user does and reads its exit codes and its last line: a slice of
// the core profiles on the built-in scheduler, the negative controls (schedulers that must not pass), bad input, the
// life and death of processes, a cluster by hand, and stored histories judged again.
//
// The tests run where MUSTER_BIN names a binary (make test does that) and are skipped elsewhere, because linking an
// API server into a test takes longer than the test.
package smoke
