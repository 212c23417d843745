package undertest

import (
	"fmt"
	"strings"
	"time"
)

// ExitError is a scheduler that ended without being asked to.
type ExitError struct {
	// Ready: it had been ready before. A crash after readiness is a finding about the scheduler; one before is a
	// start that did not work.
	Ready bool
	PID   int
	// How it ended ("exit status 1", "signal: segmentation fault").
	How string
	// Log is the end of its output.
	Log []string
}

func (e *ExitError) Error() string {
	when := "before it was ready"
	if e.Ready {
		when = "in the middle of the run"
	}
	return fmt.Sprintf("the scheduler under test ended %s (%s)%s", when, e.How, tail(e.Log))
}

// NotReadyError is a scheduler that runs, or is said to run, but has not bound the canary pod in time.
type NotReadyError struct {
	Waited time.Duration
	// SchedulerName of the canary pod.
	SchedulerName string
	// Cause is why the last attempt ended.
	Cause error
	Log   []string
}

func (e *NotReadyError) Error() string {
	return fmt.Sprintf("the scheduler under test has not bound a canary pod with schedulerName %s on an empty node within "+
		"%s: check that it schedules for this name (--scheduler-name), or give it more time (--ready-timeout)%s",
		e.SchedulerName, e.Waited.Round(time.Millisecond), tail(e.Log))
}

func (e *NotReadyError) Unwrap() error { return e.Cause }

func tail(log []string) string {
	if len(log) == 0 {
		return "; its log is empty"
	}
	return "; the end of its log:\n\t" + strings.Join(log, "\n\t")
}
