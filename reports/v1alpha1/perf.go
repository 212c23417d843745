package v1alpha1

import "time"

// PerfKind is the kind of a performance report; its apiVersion is APIVersion.
const PerfKind = "PerfReport"

// PerfReport is the result of one invocation of muster perf. Times are in seconds, sizes in bytes, rates in the unit
// they name. A value that was not measured is absent; zero is a measured zero.
type PerfReport struct {
	APIVersion string      `json:"apiVersion"`
	Kind       string      `json:"kind"`
	Summary    PerfSummary `json:"summary"`
	// Gate is what muster perf gate decided; absent where nothing was to be decided.
	Gate *PerfGate `json:"gate,omitempty"`
	// Sides that were measured, in the order in which they were named.
	Sides []PerfSide `json:"sides"`
	// Scenarios, each in the size it was run at.
	Scenarios  []PerfScenario `json:"scenarios"`
	Provenance PerfProvenance `json:"provenance"`
}

// PerfSummary is the result in one look.
type PerfSummary struct {
	// Lines are the last lines of the invocation on stdout: one a figure, or what a gate decided.
	Lines []string `json:"lines"`
	// Planned runs, those that were Made, and those of them that were Valid measurements of their side. More are made than
	// planned where an invalid run has spoilt a block of runs that are compared.
	Planned int `json:"planned"`
	Made    int `json:"made"`
	Valid   int `json:"valid"`
	// Incomplete: the invocation was interrupted. What was measured until then is kept.
	Incomplete bool `json:"incomplete"`
	// Indicative: too few or too small runs for anything but a first look.
	Indicative bool `json:"indicative,omitempty"`
	// Notes are what to know about the invocation as a whole.
	Notes []string `json:"notes,omitempty"`
}

// PerfSide is one contender.
type PerfSide struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
	// Version of the scheduler: Kubernetes' of kube-scheduler, muster's revision of what is muster's own, of a command what its
	// profile says; absent where it is not known.
	Version string `json:"version,omitempty"`
	// Revision of muster that a built-in scheduler was started by, and Path the executable, where another was named than the
	// one that measured.
	Revision string `json:"revision,omitempty"`
	Path     string `json:"path,omitempty"`
	Exec     string `json:"exec,omitempty"`
	// ClientQPS and ClientBurst are the limits its client was given; negative QPS is none. Absent where they are not known.
	ClientQPS   float64 `json:"clientQPS,omitempty"`
	ClientBurst int     `json:"clientBurst,omitempty"`
	// Unjudged: it decides nothing, so that what the checks find makes no run of it invalid.
	Unjudged bool `json:"unjudged,omitempty"`
}

// PerfScenario is one load in one size, with what every side made of it.
type PerfScenario struct {
	Name  string `json:"name"`
	About string `json:"about,omitempty"`
	// Upstream is the scheduler_perf case it is a twin of, Differs in what it is not.
	Upstream string  `json:"upstream,omitempty"`
	Differs  string  `json:"differs,omitempty"`
	Nodes    int     `json:"nodes"`
	Scale    float64 `json:"scale"`
	Pods     int     `json:"pods"`
	Groups   int     `json:"groups"`
	// Figure is the primary one, by name, with its unit and direction.
	Figure         string `json:"figure"`
	Unit           string `json:"unit"`
	HigherIsBetter bool   `json:"higherIsBetter"`
	// Results of the primary figure, one a side; Ratios of every pair of sides that has figures.
	Results []PerfResult `json:"results"`
	Ratios  []PerfRatio  `json:"ratios,omitempty"`
	// Runs in the order in which they were made.
	Runs []PerfRun `json:"runs"`
}

// PerfResult is the primary figure of one side over its valid runs.
type PerfResult struct {
	Side  string `json:"side"`
	Runs  int    `json:"runs"`
	Valid int    `json:"valid"`
	// Median of the valid runs; absent where there is none. Low and High are its interval at Confidence (0…1), CV the
	// coefficient of variation.
	Median     *float64 `json:"median,omitempty"`
	Low        *float64 `json:"low,omitempty"`
	High       *float64 `json:"high,omitempty"`
	Confidence *float64 `json:"confidence,omitempty"`
	CV         *float64 `json:"cv,omitempty"`
}

// PerfRatio is by what factor one side differs from another: the geometric mean over paired runs.
type PerfRatio struct {
	Of    string  `json:"of"`
	To    string  `json:"to"`
	Ratio float64 `json:"ratio"`
	// Low and High are its interval at 95 %, from Pairs pairs; absent under three pairs, where Ratio is that of the medians.
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
	Pairs int      `json:"pairs"`
	// CV of the paired ratios.
	CV *float64 `json:"cv,omitempty"`
}

// PerfRun is one run.
type PerfRun struct {
	Side string `json:"side"`
	// N is the repetition, from 1; Block and Half its place in the A B B A order, from 0 (texts count blocks from 1).
	N       int       `json:"n"`
	Block   int       `json:"block"`
	Half    int       `json:"half"`
	Began   time.Time `json:"began"`
	Seconds float64   `json:"seconds"`
	// Valid runs measured their side. Problems say why not, Labels what to know about the figures.
	Valid    bool          `json:"valid"`
	Problems []PerfProblem `json:"problems,omitempty"`
	Labels   []PerfProblem `json:"labels,omitempty"`
	// Figure is the primary figure; absent where there is none.
	Figure *float64 `json:"figure,omitempty"`
	// Values are everything measured, in a fixed order.
	Values []PerfValue `json:"values,omitempty"`
	// BindsPerSecond, second by second from the first creation to the last bind.
	BindsPerSecond []int         `json:"bindsPerSecond,omitempty"`
	Fairness       *PerfFairness `json:"fairness,omitempty"`
	Verdicts       *PerfVerdicts `json:"verdicts,omitempty"`
	// History is the file, relative to the report, from which all of it can be had again.
	History    string `json:"history,omitempty"`
	Incomplete bool   `json:"incomplete,omitempty"`
}

// PerfProblem has a kind for machines and a sentence for people.
type PerfProblem struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
}

// PerfValue is one measured number. Unit is one word, as benchstat reads it.
type PerfValue struct {
	Name           string  `json:"name"`
	Unit           string  `json:"unit"`
	Value          float64 `json:"value"`
	HigherIsBetter bool    `json:"higherIsBetter,omitempty"`
}

// PerfFairness is under what conditions a run was made.
type PerfFairness struct {
	ThrottledSeconds     *float64 `json:"throttledSeconds,omitempty"`
	ServerLatencySeconds *float64 `json:"serverLatencySeconds,omitempty"`
	ClientLatencySeconds *float64 `json:"clientLatencySeconds,omitempty"`
	// Offered and Achieved creation rate in pods per second; Offered is absent for closed loads.
	Offered  *float64 `json:"offered,omitempty"`
	Achieved float64  `json:"achieved"`
	// WebhookCalls to admission webhooks.
	WebhookCalls float64 `json:"webhookCalls"`
	// Cores are the mean number of cores each process used, OwnShare the share of muster itself (creator and observer).
	Cores    map[string]float64 `json:"cores,omitempty"`
	OwnShare *float64           `json:"ownShare,omitempty"`
	// WatchLag is how much later than it was sent something was seen, and LagSource of what.
	WatchLag  PerfSpread `json:"watchLag"`
	LagSource string     `json:"lagSource,omitempty"`
}

// PerfSpread of times in seconds. Percentiles are absent where the samples do not carry them.
type PerfSpread struct {
	Count  int      `json:"count"`
	Median float64  `json:"median"`
	Max    float64  `json:"max"`
	P90    *float64 `json:"p90,omitempty"`
	P99    *float64 `json:"p99,omitempty"`
}

// PerfVerdicts counts what the checks said about a run's history.
type PerfVerdicts struct {
	Passed       int `json:"passed"`
	Failed       int `json:"failed"`
	Known        int `json:"known"`
	Warnings     int `json:"warnings"`
	Inconclusive int `json:"inconclusive"`
}

// PerfProvenance is everything needed to judge the figures.
type PerfProvenance struct {
	// Command is how muster was called.
	Command    string    `json:"command"`
	Started    time.Time `json:"started"`
	Seconds    float64   `json:"seconds"`
	Seed       int64     `json:"seed"`
	Kubernetes string    `json:"kubernetes,omitempty"`
	Muster     string    `json:"muster,omitempty"`
	Machine    Machine   `json:"machine"`
}

// Machine is what everything ran on. Figures of two machines are not compared.
type Machine struct {
	CPUs        int    `json:"cpus"`
	CPU         string `json:"cpu,omitempty"`
	MemoryBytes int64  `json:"memoryBytes,omitempty"`
	Kernel      string `json:"kernel,omitempty"`
	Go          string `json:"go,omitempty"`
}
