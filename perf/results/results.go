package results

import (
	"time"

	"muster/perf/measure"
	"muster/perf/scenario"
	"muster/suites"
)

// Ceiling is the name of the side that makes no decision, to whose throughput every other is related.
const Ceiling = "ceiling"

// Side is one contender.
type Side struct {
	// Name it is called by in figures: the kind of scheduler, or what it was called on the command line.
	Name string `json:"name"`
	// Kind is kube-scheduler, reference, ceiling or exec; Exec the command of the last.
	Kind string `json:"kind"`
	Exec string `json:"exec,omitempty"`
	// Version of the scheduler: Kubernetes' of kube-scheduler, the revision of muster that what is muster's own is built from,
	// of a command what its profile says; empty: unknown.
	Version string `json:"version,omitempty"`
	// Revision of muster that a built-in scheduler was started by; empty: unknown, or a command. Path is the executable, as
	// it was named; empty: the one that measured.
	Revision string `json:"revision,omitempty"`
	Path     string `json:"path,omitempty"`
	// Client limits it was given.
	Client measure.Client `json:"client"`
	// Unjudged: it decides nothing (the ceiling), so that what the checks find makes no run of it invalid.
	Unjudged bool `json:"unjudged,omitempty"`
}

// Verdicts counts what the checks found in one run.
type Verdicts struct {
	Passed int `json:"passed"`
	// Failed are violations of a MUST that nobody knew of: they make the run invalid.
	Failed int `json:"failed"`
	// Known are failures on the list of known findings, Warnings of a SHOULD.
	Known        int `json:"known"`
	Warnings     int `json:"warnings"`
	Inconclusive int `json:"inconclusive"`
	// Findings are those that failed, known or not, and those that could not be decided.
	Findings []suites.Finding `json:"findings,omitempty"`
}

// Run is one repetition of one sized scenario with one side.
type Run struct {
	Scenario string  `json:"scenario"`
	Nodes    int     `json:"nodes"`
	Scale    float64 `json:"scale"`
	// Shape is scenario, nodes and scale in one word for comparisons (scenario.Sized.Shape).
	Shape string `json:"shape"`
	Side  string `json:"side"`
	// N is the repetition, from 1. Block and Half are its place in the A B B A order (compare.Slot).
	N     int `json:"n"`
	Block int `json:"block"`
	Half  int `json:"half"`
	// Began and Took: of the whole run, from the start of its cluster to the last number.
	Began time.Time     `json:"began"`
	Took  time.Duration `json:"took"`
	// History is the file, relative to the output directory.
	History string `json:"history,omitempty"`
	// Figure is the scenario's primary figure; its value is 0 where there is none.
	Figure scenario.Reading `json:"figure"`
	// Result is nil where nothing could be measured; Error says why.
	Result   *measure.Result `json:"result,omitempty"`
	Verdicts *Verdicts       `json:"verdicts,omitempty"`
	// Incomplete: interrupted half-way. What was measured until then is kept.
	Incomplete bool   `json:"incomplete,omitempty"`
	Error      string `json:"error,omitempty"`
}

// Problems are why the run is not a measurement of its side; none if it is one.
func (r *Run) Problems() []string {
	var out []string
	if r.Error != "" {
		out = append(out, r.Error)
	}
	if r.Incomplete {
		out = append(out, "the run was interrupted")
	}
	if r.Result == nil {
		if len(out) == 0 {
			out = append(out, "nothing was measured")
		}
		return out
	}
	for _, p := range r.Result.Validity.Problems {
		out = append(out, p.Message)
	}
	return out
}

// Valid reports whether the run measured its side.
func (r *Run) Valid() bool { return len(r.Problems()) == 0 }

// Machine is what everything ran on: figures of two machines are not compared.
type Machine struct {
	CPUs int `json:"cpus"`
	// CPU is the processor's name, Memory in bytes.
	CPU    string `json:"cpu,omitempty"`
	Memory int64  `json:"memory"`
	Kernel string `json:"kernel,omitempty"`
	Go     string `json:"go"`
}

// Record is one invocation.
type Record struct {
	Began time.Time     `json:"began"`
	Took  time.Duration `json:"took"`
	// Command is how it was called.
	Command string `json:"command"`
	// Kubernetes is the version of the control plane, Muster that of this program (revision).
	Kubernetes string  `json:"kubernetes,omitempty"`
	Muster     string  `json:"muster,omitempty"`
	Machine    Machine `json:"machine"`
	// Seed of the schedules of open loops.
	Seed int64 `json:"seed"`
	// Indicative: too few or too small runs for anything but a first look.
	Indicative bool   `json:"indicative,omitempty"`
	Sides      []Side `json:"sides"`
	// Scenarios in the sizes they were run at.
	Scenarios []*scenario.Sized `json:"scenarios"`
	// Planned is how many runs were to be made; Runs those that were, in order: also those that were made again, in place of
	// blocks that invalid runs had spoilt.
	Planned int   `json:"planned"`
	Runs    []Run `json:"runs"`
	// Lines are what the invocation ended with on stdout: one a figure, or what a gate decided.
	Lines []string `json:"lines,omitempty"`
	// Notes are what to know about the invocation as a whole.
	Notes []string `json:"notes,omitempty"`
	// Gate is what was decided; nil where nothing was to be.
	Gate *Gate `json:"gate,omitempty"`
	// Incomplete: fewer than planned, as the invocation was interrupted.
	Incomplete bool `json:"incomplete,omitempty"`
}

// Of are the runs of one shape and side, in order.
func (r *Record) Of(shape, side string) []*Run {
	var out []*Run
	for i := range r.Runs {
		if r.Runs[i].Shape == shape && r.Runs[i].Side == side {
			out = append(out, &r.Runs[i])
		}
	}
	return out
}
