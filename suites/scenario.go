package suites

import (
	"context"

	"muster/fakes/nodes"
	"muster/suites/history"
)

// Isolation says what a scenario shares with others.
type Isolation string

const (
	// Shared (the default): own namespace and own node pools beside other scenarios. Capacity and victims are
	// separate; the scheduler's queue and its cycle times are not.
	Shared Isolation = ""
	// Exclusive: nothing else runs in the cluster meanwhile (timing, scheduler restarts, API faults).
	Exclusive Isolation = "Exclusive"
	// OwnCluster: a cluster of its own, with the gates of Needs.Gates.
	OwnCluster Isolation = "OwnCluster"
)

// Needs declares what a scenario needs from the place it runs in. Where something is missing the scenario's
// requirements are NotSupported (control plane) and say so.
type Needs struct {
	// Capabilities of the cluster (see fakes/cluster), by name: "create-nodes", "restart-scheduler", ….
	Capabilities []string
	// Pools are created for this scenario alone before Drive is called; their names are made unique.
	Pools []nodes.Pool
	// Gates are switched to the given values in a cluster of the scenario's own (OwnCluster only).
	Gates map[string]bool
	// SchedulerGates are switched for the scheduler under test alone, on top of those it has otherwise (OwnCluster only).
	// A scheduler that takes no gates lacks the capability GateScheduler.
	SchedulerGates map[string]bool
	// NoScheduler runs OwnCluster without any scheduler.
	NoScheduler bool
	// PriorityClasses are created for this scenario alone: short name → value. Env.PriorityClass(short) is the real name.
	PriorityClasses map[string]int32
}

// GateScheduler is the capability of a scenario whose Needs name SchedulerGates, which imply it. A run offers it where the
// scheduler under test can be started with feature gates of its own: not a command, nor one that reads none.
const GateScheduler = "gate-the-scheduler"

// Scenario puts one or more requirements to the test. It is a value; one file holds one.
type Scenario struct {
	// Name is unique, lower-case with dashes; it says what happens, not what is expected.
	Name string
	// Profile under whose name the scenario is listed (its folder).
	Profile string
	// Summary is one sentence for `muster list scenarios`.
	Summary string
	// Requirements are the IDs the Judge speaks about.
	Requirements []string
	Needs        Needs
	Isolation    Isolation
	// Weight orders scenarios: heavier ones (longer, in seconds on stock) start first so that the tail is short.
	Weight int
	// Drive acts: it creates, deletes and waits; it decides nothing. An error means that the harness could not do
	// what it had to (Verdict Error), never that the scheduler misbehaved. Waiting in vain is not an error.
	Drive func(ctx context.Context, env Env) error
	// Judge reads what happened. Pure: no clock, no cluster, no state.
	Judge func(v *history.View) []Finding
}
