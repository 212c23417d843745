package v1alpha1

import (
	"time"

	"muster/suites"
)

const (
	// APIVersion and Kind of a report.
	APIVersion = "muster/v1alpha1"
	Kind       = "ConformanceReport"
)

// ConformanceReport is the result of one run. It is written in the order of its fields: what a reader asks first
// stands first.
type ConformanceReport struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Subject is who is judged.
	Subject Subject `json:"subject"`
	// Summary is the result in one look.
	Summary Summary `json:"summary"`
	// Profiles, the invariants among them.
	Profiles   []Profile  `json:"profiles"`
	Provenance Provenance `json:"provenance"`
	// Requirements in the order of their IDs.
	Requirements []Requirement `json:"requirements"`
	// Scenarios in the order of their names.
	Scenarios []Scenario `json:"scenarios"`
	// Expected is the set of requirements that had to get a verdict; Executed those of them whose scenarios ran.
	Expected Set `json:"expected"`
	Executed Set `json:"executed"`
}

// Subject is who is judged: from the scheduler profile or from flags.
type Subject struct {
	Scheduler      string   `json:"scheduler"`
	Version        string   `json:"version,omitempty"`
	SchedulerNames []string `json:"schedulerNames"`
	Dialect        string   `json:"dialect"`
	Organization   string   `json:"organization,omitempty"`
	Project        string   `json:"project,omitempty"`
	URL            string   `json:"url,omitempty"`
	Contact        string   `json:"contact,omitempty"`
	// Unsupported are features declared unsupported.
	Unsupported []string `json:"unsupported,omitempty"`
}

// Summary is the result in one look.
type Summary struct {
	// Line is the last line of the run on stdout.
	Line string `json:"line"`
	// ExitCode of the run and why (empty for 0).
	ExitCode int    `json:"exitCode"`
	Reason   string `json:"reason,omitempty"`
	// Incomplete: the run was interrupted or the control plane died. Then nothing can be concluded from what is absent.
	Incomplete bool `json:"incomplete"`
	// Narrowed: single requirements or scenarios were asked for. Then no profile can be conformant.
	Narrowed bool   `json:"narrowed,omitempty"`
	Counts   Counts `json:"counts"`
}

// Counts add up to the number of expected requirements.
type Counts struct {
	Passed       int `json:"passed"`
	Failed       int `json:"failed"`
	Known        int `json:"known"`
	Warnings     int `json:"warnings"`
	Inconclusive int `json:"inconclusive"`
	Errors       int `json:"errors"`
	NotSupported int `json:"notSupported"`
	Skipped      int `json:"skipped"`
	Observed     int `json:"observed"`
}

// Profile is the result of one profile.
type Profile struct {
	Name string `json:"name"`
	// Conformant: every MUST of its core was executed and passed.
	Conformant bool `json:"conformant"`
	// Core MUSTs: how many there are, were executed, and passed.
	Core         int    `json:"core"`
	CoreExecuted int    `json:"coreExecuted"`
	CorePassed   int    `json:"corePassed"`
	Counts       Counts `json:"counts"`
}

// Set is a set of requirement IDs and its digest (sha256 of the sorted IDs, one a line).
type Set struct {
	Digest string   `json:"digest"`
	IDs    []string `json:"ids"`
}

// Requirement is the verdict on one requirement.
type Requirement struct {
	ID       string          `json:"id"`
	Profile  string          `json:"profile"`
	Title    string          `json:"title"`
	Text     string          `json:"text"`
	Level    suites.Level    `json:"level"`
	Maturity suites.Maturity `json:"maturity"`
	Core     bool            `json:"core,omitempty"`
	Gates    []string        `json:"gates,omitempty"`
	Sources  []suites.Source `json:"sources,omitempty"`
	Verdict  suites.Verdict  `json:"verdict"`
	// Value of a MAY.
	Value string `json:"value,omitempty"`
	// Reason: the message that decided.
	Reason string `json:"reason,omitempty"`
	// Known is the reason why this Fail is listed as known and does not gate.
	Known string `json:"known,omitempty"`
	// Partial: not all scenarios that exercise the requirement were asked for, so that the verdict speaks only of
	// those that were; Share says how many ("1 of 2 scenarios").
	Partial bool   `json:"partial,omitempty"`
	Share   string `json:"share,omitempty"`
	// Gating: this requirement alone makes the exit code 1.
	Gating    bool              `json:"gating,omitempty"`
	Scenarios []ScenarioVerdict `json:"scenarios,omitempty"`
	Findings  []Finding         `json:"findings,omitempty"`
}

// ScenarioVerdict is one scenario's share in a verdict.
type ScenarioVerdict struct {
	Name    string         `json:"name"`
	Verdict suites.Verdict `json:"verdict"`
}

// Finding is what a judge or a check said.
type Finding struct {
	Scenario string         `json:"scenario"`
	Check    string         `json:"check,omitempty"`
	Verdict  suites.Verdict `json:"verdict"`
	Message  string         `json:"message,omitempty"`
	Value    string         `json:"value,omitempty"`
	Objects  []string       `json:"objects,omitempty"`
	// Seq is the number of the event in the scenario's history shard that shows it; 0 where it is about the whole.
	Seq int64 `json:"seq,omitempty"`
}

// Scenario is how one scenario went.
type Scenario struct {
	Name    string         `json:"name"`
	Profile string         `json:"profile"`
	Status  string         `json:"status"`
	Verdict suites.Verdict `json:"verdict"`
	Reason  string         `json:"reason,omitempty"`
	// Shard is the history file it is recorded in, relative to the report's history directory.
	Shard string `json:"shard,omitempty"`
	// Seconds it took.
	Seconds float64 `json:"seconds"`
}

// Provenance is everything needed to judge the judgement.
type Provenance struct {
	Muster     Muster            `json:"muster"`
	Started    time.Time         `json:"started"`
	Seconds    float64           `json:"seconds"`
	Seed       int64             `json:"seed"`
	Host       Host              `json:"host"`
	Versions   map[string]string `json:"versions,omitempty"`
	Components []Component       `json:"components,omitempty"`
	// Pools are the shapes of the simulated nodes that scenarios asked for.
	Pools []Pool `json:"pools,omitempty"`
	// Backdrop is the pool that stood beside those of the scenarios, where one was asked for.
	Backdrop *Backdrop `json:"backdrop,omitempty"`
	// Options in force, by flag, defaults included.
	Options map[string]string `json:"options,omitempty"`
	// ReadySeconds from the start of the scheduler under test to the first canary bind.
	ReadySeconds float64 `json:"readySeconds,omitempty"`
	// CanaryMilliseconds is the median bind latency of the canary pods in this run.
	CanaryMilliseconds float64 `json:"canaryMilliseconds,omitempty"`
}

// Muster is the build that judged.
type Muster struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go,omitempty"`
}

// Host is the machine.
type Host struct {
	OS          string `json:"os"`
	Arch        string `json:"arch"`
	Cores       int    `json:"cores"`
	MemoryBytes int64  `json:"memoryBytes,omitempty"`
}

// Component is what was in force in one component of the control plane, or in the scheduler under test.
type Component struct {
	Name string `json:"name"`
	// Gates that differ from Kubernetes' defaults.
	Gates map[string]bool `json:"gates,omitempty"`
	// Notes say which gates went off because one they depend on was switched off.
	Notes []string `json:"notes,omitempty"`
}

// Backdrop is a pool of nodes and devices that no scenario uses, there so that the cluster has a size.
type Backdrop struct {
	Nodes int `json:"nodes"`
	// Devices of the nodes for claims, of the Model.
	Devices int    `json:"devices,omitempty"`
	Model   string `json:"model,omitempty"`
	// VisibleSeconds from the start of the cluster until every node and device could be listed through the API.
	VisibleSeconds float64 `json:"visibleSeconds,omitempty"`
	// MemoryBytes of all processes together when the scheduler under test was ready.
	MemoryBytes int64 `json:"memoryBytes,omitempty"`
}

// Pool is a node pool of a scenario.
type Pool struct {
	Scenario string            `json:"scenario"`
	Name     string            `json:"name"`
	Count    int               `json:"count"`
	CPU      string            `json:"cpu,omitempty"`
	Memory   string            `json:"memory,omitempty"`
	GPUs     int               `json:"gpus,omitempty"`
	Extended map[string]string `json:"extended,omitempty"`
}
