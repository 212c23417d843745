package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"muster/fakes/cluster"
	"muster/perf/results"
	"muster/perf/runner"
	"muster/perf/scenario"
)

// perfFlags are the flags all verbs of muster perf share.
type perfFlags struct {
	scenarios    []string
	nodes        int
	scale        float64
	runs         int
	out          string
	seed         int64
	gates        string
	qps          float64
	execQPS      float64
	patience     time.Duration
	readyTimeout time.Duration
	discard      bool
	indicative   bool
	output       string
	verbose      bool

	// What the verb fills in. figure is the primary figure instead of the scenario's own (empty: that), needed the sides
	// without which there is nothing to say, paired those whose runs are compared pair by pair, suits why nothing would come of a
	// scenario beside what is there already (nil: nothing is).
	figure scenario.Figure
	needed []string
	paired []string
	suits  func(*scenario.Sized) error
}

func (f *perfFlags) add(cmd *cobra.Command, runs int) {
	flags := cmd.Flags()
	flags.StringSliceVar(&f.scenarios, "scenario", nil, "scenarios to run, by name (required; see muster list perf)")
	flags.IntVar(&f.nodes, "nodes", 0, "nodes in the cluster (default the scenario's own number)")
	flags.Float64Var(&f.scale, "scale", 1, "multiplies the number of gangs, not their sizes; refused for loads that follow the nodes alone")
	flags.IntVar(&f.runs, "runs", runs, "how often each side is run")
	flags.StringVar(&f.out, "out", "", "directory for figures and histories, new or empty (default muster-out/perf-<time>)")
	flags.Int64Var(&f.seed, "seed", 0, "seed of the times at which an open loop's gangs come (default drawn)")
	flags.StringVar(&f.gates, "gates", "", "feature gates of the whole control plane, NAME=true|false,…")
	flags.Float64Var(&f.qps, "client-qps", cluster.ClientQPS, "client limit of every component and of every built-in scheduler, in requests a second; the burst is twice that")
	flags.Float64Var(&f.execQPS, "exec-client-qps", 0, "the client limit that commands were given, with a burst of twice that, so that sides can be told to be equal (default unknown)")
	flags.DurationVar(&f.patience, "patience", 5*time.Minute, "how long to wait for one more pod to be bound before a run is given up")
	flags.DurationVar(&f.readyTimeout, "ready-timeout", time.Minute, "how long a scheduler may take to bind a first pod")
	flags.BoolVar(&f.discard, "discard-histories", false, "keep the histories of invalid runs only")
	flags.BoolVar(&f.indicative, "indicative", false, "say in the results that runs are too few or too small for more than a first look")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "say more: every step of a run, every finding")
	outputFlag(cmd, &f.output, "table")
}

// options are what the flags ask for, with everything refused that can be before anything is started.
func (f *perfFlags) options(cmd *cobra.Command, sides []runner.Side) (runner.Options, error) {
	o := runner.Options{
		Sides: sides, Paired: f.paired, Runs: f.runs, Seed: f.seed, Patience: f.patience, ReadyTimeout: f.readyTimeout, Discard: f.discard,
		Command: commandLine(cmd), Kubernetes: currentVersions().Kubernetes, Muster: revision,
		Progress: runner.NewPrinter(cmd.ErrOrStderr(), f.verbose),
	}
	var err error
	if err := f.checkRuns(); err != nil {
		return o, err
	}
	if err := f.limitCommands(sides); err != nil {
		return o, err
	}
	for _, warning := range clueless(sides) {
		_, _ = fmt.Fprintln(cmd.ErrOrStderr(), "warning: "+warning)
	}
	if f.seed == 0 && cmd.Flags().Changed("seed") {
		return o, errors.New("--seed 0: it stands for one that is drawn; leave the flag away for that, or name another")
	}
	if err := refuseEmpty(cmd.Flags()); err != nil {
		return o, err
	}
	if f.nodes == 0 && cmd.Flags().Changed("nodes") {
		return o, errors.New("--nodes 0: a cluster without nodes binds nothing; leave the flag away for the scenario's own number")
	}
	if o.Scenarios, err = f.sized(); err != nil {
		return o, err
	}
	if err := f.answered(o.Scenarios, sides); err != nil {
		return o, err
	}
	if f.suits != nil {
		for _, sized := range o.Scenarios {
			if err := f.suits(sized); err != nil {
				return o, err
			}
		}
	}
	o.Cluster.QPS, o.Cluster.Burst = f.qps, int(2*f.qps)
	if o.Cluster.Gates, err = cluster.ParseGates(f.gates); err != nil {
		return o, fmt.Errorf("--gates: %w", err)
	}
	inForce, err := cluster.ResolveGates(cluster.DefaultGates(), o.Cluster.Gates)
	if err != nil {
		return o, err
	}
	for _, s := range o.Scenarios {
		for _, gate := range s.Gates() {
			if !inForce.Gates[gate] {
				return o, fmt.Errorf("--gates: %s needs %s, and it is off", s.Name, gate)
			}
		}
	}
	for _, side := range sides {
		if err := side.Scheduling.Check(inForce.Gates); err != nil {
			return o, fmt.Errorf("side %s: %w", side.Name, err)
		}
	}
	if o.Seed == 0 {
		o.Seed = 1 + rand.Int64N(1<<31)
	}
	if err := cluster.CheckParent(o.Cluster.Parent); err != nil {
		return o, err
	}
	o.Out, err = perfOutput(f.out)
	return o, err
}

// measure runs what the flags ask for with these sides, prints it, and then what the verb has to say of the record.
func (f *perfFlags) measure(cmd *cobra.Command, sides []runner.Side, ending func(*results.Record) []string) error {
	o, err := f.options(cmd, sides)
	if err != nil {
		return usage(err)
	}
	// A fifth of what the observer takes of the machine is the collection of its garbage, of which it makes much and keeps
	// little.
	debug.SetGCPercent(400)
	r, err := measurePerf(cmd, f, o, ending)
	if r == nil {
		return err
	}
	return errors.Join(printPerf(cmd, r, f), lastly(cmd, f.output, r.Lines...), perfEnd(r, err))
}

// sized are the scenarios in the size asked for. What does not fit the machine's memory is refused with the estimate.
func (f *perfFlags) sized() ([]*scenario.Sized, error) {
	if len(f.scenarios) == 0 {
		return nil, errors.New("--scenario is missing: name one or more (muster list perf shows them)")
	}
	available := runner.AvailableMemory()
	var out []*scenario.Sized
	for _, name := range f.scenarios {
		s, err := scenario.Named(name)
		if err != nil {
			return nil, err
		}
		switch {
		case f.nodes < 0:
			return nil, fmt.Errorf("--nodes %d: nodes cannot be negative", f.nodes)
		case !(f.scale > 0): // nor is what is not a number
			return nil, fmt.Errorf("--scale %v: it has to be positive", f.scale)
		}
		sized, err := s.At(scenario.Size{Nodes: f.nodes, Scale: f.scale})
		if err != nil {
			return nil, err
		}
		if available > 0 {
			if err := sized.CheckMemory(available); err != nil {
				return nil, err
			}
		}
		for _, other := range out {
			if other.Name == sized.Name {
				return nil, fmt.Errorf("--scenario: %s is named twice; --runs says how often it is run", name)
			}
		}
		if f.figure != "" {
			sized = sized.By(f.figure)
		}
		out = append(out, sized)
	}
	return out, nil
}
