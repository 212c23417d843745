package standing

import (
	"context"
	"fmt"
	"time"

	"muster/fakes/cluster"
	"muster/fakes/gpus/check"
	"muster/fakes/nodes"
	"muster/fakes/undertest"
)

// Spec is what to bring up.
type Spec struct {
	// Name of the cluster; Launch refuses one that is up.
	Name string `json:"name"`
	// Nodes to make, with their devices. Its Count may be 0.
	Nodes nodes.Pool `json:"nodes"`
	// Gates of the control plane, and of the scheduler alone.
	Gates          map[string]bool `json:"gates,omitempty"`
	SchedulerGates map[string]bool `json:"schedulerGates,omitempty"`
	// Scheduler is a built-in kind (undertest.Kinds), SchedulerExec a command instead.
	Scheduler     string             `json:"scheduler,omitempty"`
	SchedulerExec string             `json:"schedulerExec,omitempty"`
	Profile       *undertest.Profile `json:"profile,omitempty"`
	// SchedulerNames it schedules for; empty: its profile's.
	SchedulerNames []string `json:"schedulerNames,omitempty"`
	// ReadyTimeout is how long the scheduler may take to bind the canary.
	ReadyTimeout time.Duration `json:"readyTimeout"`
	// Verbosity of the components' logs.
	Verbosity int `json:"verbosity,omitempty"`
	// Keep leaves the run directory behind.
	Keep bool `json:"keep,omitempty"`
}

// MaxNodes of a cluster used by hand.
const MaxNodes = 200_000

// What the processes of a cluster take of memory, together: measured with 16 and with 4,016 empty nodes.
const (
	baseGiB = 1
	nodeKiB = 76
)

// Check refuses what cannot be, with everything there is to say about it, before anything is started.
func (s Spec) Check() error {
	if err := cluster.CheckName(s.Name); err != nil {
		return err
	}
	gates, err := cluster.ResolveGates(cluster.DefaultGates(), s.Gates)
	if err != nil {
		return err
	}
	if err := s.scheduler(nil).Check(gates.Gates); err != nil {
		return err
	}
	if s.ReadyTimeout <= 0 {
		return fmt.Errorf("a ready timeout of %s leaves the scheduler no time", s.ReadyTimeout)
	}
	if s.Nodes.Count > MaxNodes {
		return fmt.Errorf("%d nodes are more than the %d a cluster can have here, which take about %d GiB of memory "+
			"(%d KiB a node, without any pod)", s.Nodes.Count, MaxNodes, baseGiB+MaxNodes*nodeKiB>>20, nodeKiB)
	}
	if err := nodes.ValidateAll(s.Nodes); err != nil {
		return err
	}
	if err := check.Pools(context.Background(), s.Nodes); err != nil {
		return err
	}
	return cluster.CheckParent("")
}

func (s Spec) cluster(progress func(string)) cluster.Options {
	return cluster.Options{Name: s.Name, Gates: s.Gates, Verbosity: s.Verbosity, Keep: s.Keep, Progress: progress}
}

func (s Spec) scheduler(c cluster.Cluster) undertest.Options {
	o := undertest.Options{
		Cluster: c, Scheduler: s.Scheduler, Exec: s.SchedulerExec, Names: s.SchedulerNames, Gates: s.SchedulerGates,
		Verbosity: s.Verbosity,
	}
	if s.Profile != nil {
		o.Profile = *s.Profile
	}
	return o
}
