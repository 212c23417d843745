package run

import (
	"runtime"
	"time"

	"k8s.io/client-go/dynamic"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/run/plan"
	"muster/workloads/dialect"
)

// Client is the dynamic client scenarios act through.
type Client = dynamic.Interface

// Options of a run. Plan, World, Dialect and Dir are required.
type Options struct {
	Plan *plan.Plan
	// Requirements are the whole catalogue, to find those the control plane cannot offer.
	Requirements []suites.Requirement
	World        World
	Dialect      *dialect.Dialect
	// Dir receives the shards.
	Dir string
	// Profile of the scheduler under test, with the settle bound in force.
	Profile history.SchedulerProfile
	// NoScheduler: none takes part, and requirements on it are NotSupported. World.Scheduler then gives none.
	NoScheduler bool
	// Seed of the run; every scenario derives its own.
	Seed int64
	// Tag makes the names of this run's objects unique in a cluster that sees more than one.
	Tag string
	// Parallel is how many Shared scenarios run at the same time. Default: DefaultParallel().
	Parallel int
	// Stagger is the time between two starts. Default 150 ms.
	Stagger time.Duration
	// Limit ends a scenario that hangs. Default 10 min.
	Limit time.Duration
	// CanaryEvery is the time between two canaries, SampleEvery between two samples of processes. Defaults 3 s and 1 s.
	CanaryEvery, SampleEvery time.Duration
	// Crashes of the scheduler under test after which the session ends. Default 3.
	Crashes int
	// Remove deletes what scenarios leave behind that could matter to others, for clusters that live on.
	Remove bool
	// Info goes into the header of every shard.
	Info     map[string]string
	Progress Progress
}

// DefaultParallel is how many Shared scenarios run at the same time unless told otherwise. They wait for back-offs most
// of the time, so the number is that of pods two cores can place in a burst, not that of the cores.
func DefaultParallel() int { return max(24, 12*runtime.NumCPU()) }

func (o Options) withDefaults() Options {
	if o.Parallel <= 0 {
		o.Parallel = DefaultParallel()
	}
	if o.Stagger <= 0 {
		o.Stagger = 150 * time.Millisecond
	}
	if o.Limit <= 0 {
		o.Limit = 10 * time.Minute
	}
	if o.CanaryEvery <= 0 {
		o.CanaryEvery = 3 * time.Second
	}
	if o.SampleEvery <= 0 {
		o.SampleEvery = time.Second
	}
	if o.Crashes <= 0 {
		o.Crashes = 3
	}
	if o.Progress == nil {
		o.Progress = Silent{}
	}
	return o
}
