package run

import (
	"context"
	"time"

	"muster/fakes/cluster"
	"muster/suites/history"
	"muster/suites/run/env"
)

// World is what a run is staged in. The command wires the embedded cluster to it; tests a make-believe one.
type World interface {
	// Cluster starts a control plane. gates lie over those of the run; nil adds nothing.
	Cluster(ctx context.Context, name string, gates map[string]bool) (cluster.Cluster, error)
	// Check says whether the cluster serves what the dialect of the scheduler needs; the error names the flag or gate
	// that is missing.
	Check(ctx context.Context, c cluster.Cluster) error
	// Record opens the record of a cluster, written to file.
	Record(ctx context.Context, c cluster.Cluster, h history.Header, file string) (Recorder, error)
	// Scheduler makes the scheduler under test for a cluster, not started; nil: there is none to start.
	Scheduler(ctx context.Context, c cluster.Cluster) (Scheduler, error)
	// Client is the dynamic client scenarios act through.
	Client(c cluster.Cluster) (Client, error)
}

// Recorder is the record of one cluster.
type Recorder interface {
	env.Journal
	// Sample appends a measurement.
	Sample(verb string, s history.Sample) history.Folded
	// Err is the first error of writing.
	Err() error
	// Close completes the record.
	Close(ctx context.Context) error
}

// Scheduler is the scheduler under test in one cluster.
type Scheduler interface {
	// Start starts it; a second Start after a Stop or a crash starts it again.
	Start(ctx context.Context) error
	// Ready returns when it has bound a canary pod, with that pod's bind latency.
	Ready(ctx context.Context) (time.Duration, error)
	// Stop ends it; its exit is then not a crash.
	Stop(ctx context.Context) error
	// Close stops it and removes what it has left.
	Close(ctx context.Context) error
	// Exited receives every end of the process that nobody asked for.
	Exited() <-chan history.Sample
	// Sample is what the process uses now; ok is false where it cannot be known.
	Sample() (s history.Sample, ok bool)
	// Canary binds one more canary pod and says how long that took.
	Canary(ctx context.Context) (time.Duration, error)
	// LogTail is the end of its log.
	LogTail(lines int) []string
}

// Progress is told what a run is at. Its methods may be called from any goroutine.
type Progress interface {
	// Phase is what the run is at, in a few words.
	Phase(text string)
	// Planned are the scenarios that will run, with their expected seconds.
	Planned(weights map[string]int)
	Started(scenario string)
	Ended(scenario, status string, took time.Duration)
	// Warn is something a reader should know, in a sentence.
	Warn(text string)
}

// Silent is Progress for nobody.
type Silent struct{}

func (Silent) Phase(string)                        {}
func (Silent) Planned(map[string]int)              {}
func (Silent) Started(string)                      {}
func (Silent) Ended(string, string, time.Duration) {}
func (Silent) Warn(string)                         {}
