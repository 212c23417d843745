package measure

import (
	"fmt"
	"slices"
	"time"

	"muster/fakes/nodes"
	"muster/suites/history"
)

// Options of a measurement. The zero value of each but Plan is a sensible default.
type Options struct {
	// Plan is what the load was meant to be.
	Plan Plan
	// Scheduler is the process name of the scheduler under test in samples (default history.ProcessScheduler).
	Scheduler string
	// Client limits it was given.
	Client Client
	// Resource whose allocation is measured (default nvidia.com/gpu); Unit is the piece below which free amounts count as
	// fragments, in counted amounts (CPUs in thousandths; default the largest node's whole amount).
	Resource string
	Unit     int64
	// TopologyKey by which closeness is measured (default nodes.RackLabel), TopologyGangs of how many gangs at most
	// (default 50; each asks the oracle about every domain).
	TopologyKey   string
	TopologyGangs int
	// Lateness of requests against their intended times (open loop), by phase.
	Lateness map[string][]time.Duration
	// Ceiling is the throughput of the binder that makes no decision, in the same run (pods per second over the whole
	// run); 0: not known.
	Ceiling float64
	// IsCeiling: this is the binder that makes no decision itself. That it keeps up with its creator is no problem but what it
	// is there to show; it is labelled so.
	IsCeiling bool
	// NotThroughput: the figure is no throughput, so that keeping up with the creator is no problem.
	NotThroughput bool
	// HowMuchFits is the figure: that not all was bound, or even created, is then what was measured, and a label.
	HowMuchFits bool
	// Violations the checks found in this history.
	Violations int
	Limits     Limits
}

func (o Options) withDefaults() Options {
	if o.Scheduler == "" {
		o.Scheduler = history.ProcessScheduler
	}
	if o.Resource == "" {
		o.Resource = nodes.DefaultGPUResource
	}
	if o.TopologyKey == "" {
		o.TopologyKey = nodes.RackLabel
	}
	if o.TopologyGangs == 0 {
		o.TopologyGangs = 50
	}
	o.Limits = o.Limits.withDefaults()
	return o
}

// Result is everything measured of one run. Durations are nanoseconds.
type Result struct {
	Validity   Validity   `json:"validity"`
	Load       Load       `json:"load"`
	Throughput Throughput `json:"throughput"`
	// OfCeiling is the throughput as a share of the ceiling's; 0 where that is not known, and for open loops, in which both
	// are what was offered.
	OfCeiling float64 `json:"ofCeiling,omitempty"`
	// Phases are the measured phases one by one, where there are several.
	Phases []Phase `json:"phases,omitempty"`
	// Fit is how much of what was known to fit was placed; nil for loads of which that is not known.
	Fit        *Fit               `json:"fit,omitempty"`
	Gangs      GangLatency        `json:"gangs"`
	Partial    Partial            `json:"partial"`
	Topology   *Topology          `json:"topology,omitempty"`
	Evictions  *Evictions         `json:"evictions,omitempty"`
	Capacity   Capacity           `json:"capacity"`
	Attempts   Attempts           `json:"attempts"`
	API        *APICalls          `json:"api,omitempty"`
	Processes  map[string]Process `json:"processes,omitempty"`
	Histograms []Histogram        `json:"histograms,omitempty"`
	Fairness   Fairness           `json:"fairness"`
}

// Of measures a run.
func Of(t *Tape, o Options) *Result {
	o = o.withDefaults()
	from, to := t.span()
	r := &Result{
		Load:       load(t, o.Plan.Arrival, o.Lateness),
		Throughput: throughput(t),
		Gangs:      gangLatency(t),
		Partial:    partial(t, o.Resource),
		Phases:     phases(t, o),
		Fit:        fit(t, o.Resource, o.Plan.Optima),
		Topology:   topology(t, o.TopologyKey, o.TopologyGangs),
		Evictions:  evictions(t),
		Capacity:   capacity(t, o.Resource, o.Unit, from, to),
		Attempts:   attempts(t, o.Scheduler),
		Processes:  processes(t),
		Histograms: histograms(t.Samples[o.Scheduler]),
	}
	r.API = apiCalls(t.Samples[o.Scheduler], r.Throughput.Bound)
	r.Fairness = fairness(t, o, r.Load, r.Processes)
	r.Validity = validity(t, o, r)
	r.Against(o.Ceiling, o.Limits)
	return r
}

// Against relates the throughput to the ceiling's, which may be known only after the run (Throughput.Rate; 0: not known),
// and labels a run that the API server has bounded, or that shows the ceiling to be none. The throughput of an open loop is
// its rate, for the ceiling as for everybody, and no share of anything.
func (r *Result) Against(ceiling float64, limits Limits) {
	if ceiling <= 0 || r.Load.Arrival == OpenLoop {
		return
	}
	limits = limits.withDefaults()
	r.OfCeiling = r.Throughput.Rate / ceiling
	r.Validity.Labels = slices.DeleteFunc(r.Validity.Labels, func(p Problem) bool { return p.Kind == APIBound || p.Kind == CeilingTooLow })
	switch {
	case r.OfCeiling > limits.AboveCeiling:
		r.Validity.Labels = append(r.Validity.Labels, Problem{CeilingTooLow, fmt.Sprintf(
			"at %.0f %% of the ceiling, which therefore was too low in this invocation: give it more binds at a time (--ceiling-concurrency; muster perf ceiling finds how many)", 100*r.OfCeiling)})
	case r.OfCeiling >= limits.OfCeiling:
		r.Validity.Labels = append(r.Validity.Labels, Problem{APIBound, fmt.Sprintf(
			"at %.0f %% of the ceiling the API server is the limit: compare solve latency and CPU instead", 100*r.OfCeiling)})
	}
}

// Lacks makes a run invalid for want of what it was made for: its primary figure, by its unit.
func (r *Result) Lacks(figure string) {
	r.Validity.Valid = false
	r.Validity.Problems = append(r.Validity.Problems, Problem{NoFigure, fmt.Sprintf(
		"there is no %s in this run, and that is what the scenario is run for: what it is the time of never came, or was not seen; see the history", figure)})
}
