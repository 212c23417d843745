package conduct

import (
	"time"

	"muster/fakes/cluster"
	"muster/fakes/nodes"
	"muster/fakes/undertest"
	"muster/reports/v1alpha1"
	"muster/suites/run"
	"muster/suites/run/embedded"
	"muster/suites/run/fold"
	"muster/suites/run/plan"
)

// Options of a conformance run. The zero value judges the built-in kube-scheduler on everything there is.
type Options struct {
	Selection plan.Selection
	// Scheduling says which scheduler; its Profile may be zero, and Cluster is filled in.
	Scheduling undertest.Options
	// ReadyTimeout for its first canary (default 60 s).
	ReadyTimeout time.Duration
	// Cluster options of the control plane; Name is filled in.
	Cluster cluster.Options
	// Backdrop is a pool of nodes, with their devices, that stands in the main cluster beside those that scenarios make.
	Backdrop nodes.Pool
	// Settle overrides the profile's settle bound for groups of every size. 0 does not.
	Settle time.Duration
	// Known findings beside the built-in ones.
	Known []fold.KnownFinding
	// Parallel and Seed as in run.Options. Seed 0 is drawn.
	Parallel int
	Seed     int64
	// Out is the output directory (default muster-out/<time>); it must be new or empty.
	Out string
	// Muster is the build that judges.
	Muster v1alpha1.Muster
	// World stages the run elsewhere than in control planes of its own; nil: it does not. It is given the world there would be.
	World func(*embedded.World) run.World
	// Tag and Remove as in run.Options, for clusters that see more than one run.
	Tag    string
	Remove bool
	// CanaryEvery as in run.Options.
	CanaryEvery time.Duration
	// Effective are the options in force, by flag, for the report.
	Effective map[string]string
	Progress  run.Progress
}

// UsageError is the user's mistake: exit 2.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }

// Unwrap gives the reason.
func (e *UsageError) Unwrap() error { return e.Err }

func usage(err error) error {
	if err == nil {
		return nil
	}
	return &UsageError{Err: err}
}
