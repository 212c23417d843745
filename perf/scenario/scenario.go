package scenario

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"muster/fakes/nodes"
)

//go:embed data/*.yaml
var data embed.FS

// Figure is what a scenario is mainly run for, and what a gate on it tests.
type Figure string

const (
	// Throughput in pods per second over the whole run; more is better.
	Throughput Figure = "throughput"
	// GangReady is the median time until a gang's quorum is bound; of a staircase of rates, of its first step, since that of
	// all steps together would be of none. Less is better.
	GangReady Figure = "gang-ready"
	// Reclaim is the longest time from a preemptor's start until it is placed; less is better.
	Reclaim Figure = "reclaim"
	// Occupancy is how much was placed of waves that each fit exactly, as the mean share over them; more is better.
	Occupancy Figure = "occupancy"
	// TimeToVerdict is the time until a group that cannot be placed is told so; less is better.
	TimeToVerdict Figure = "time-to-verdict"
	// SchedulerCPU is the CPU time of the scheduler's process for every thousand pods it bound; less is better.
	SchedulerCPU Figure = "scheduler-cpu"
	// Solve is what the scheduler's algorithm took for every thousand pods it bound, by its own histograms; less is better.
	Solve Figure = "solve"
)

// Figures are all of them. The last two are of any scenario, and no scenario's own: they tell schedulers apart where the
// API server is the limit of throughput.
var Figures = []Figure{Throughput, GangReady, Reclaim, Occupancy, TimeToVerdict, SchedulerCPU, Solve}

// Scenario is one named load.
type Scenario struct {
	Name string `json:"name"`
	// About is one sentence for people.
	About string `json:"about"`
	// Upstream is the scheduler_perf case it is a twin of (test/case), empty for none. Differs says in what it is not.
	Upstream string `json:"upstream,omitempty"`
	Differs  string `json:"differs,omitempty"`
	// Twin is the scenario it is to be compared with, to see what one thing costs.
	Twin   string `json:"twin,omitempty"`
	Figure Figure `json:"figure"`
	// Nodes of the shape Node, in its own size. Multiple is what the number of nodes must be a multiple of (0: of nothing).
	Nodes    int        `json:"nodes"`
	Multiple int        `json:"multiple,omitempty"`
	Node     nodes.Pool `json:"node"`
	// Devices each node publishes in a ResourceSlice.
	Devices int     `json:"devices,omitempty"`
	Phases  []Phase `json:"phases"`
}

// Arrival of a phase's groups (see package workloads/arrive).
type Arrival string

// The arrivals.
const (
	Burst   Arrival = "burst"
	Backlog Arrival = "backlog"
	Open    Arrival = "open"
)

// Phase is created as a whole; the next one begins when all its pods that can be bound are.
type Phase struct {
	Name string `json:"name"`
	// Measured phases are what the figures are about; the others prepare the cluster and come first. Between the two the
	// driver sets the mark measure.MarkMeasured.
	Measured bool    `json:"measured,omitempty"`
	Arrival  Arrival `json:"arrival,omitempty"`
	// Rate of an open loop, in pods per second.
	Rate float64 `json:"rate,omitempty"`
	// Perfect phases fill the free part of the cluster exactly. One in which nothing more is bound is over, and the next
	// comes.
	Perfect bool `json:"perfect,omitempty"`
	// Finish ends all the phase's pods before the next phase (those of a perfect one that were not bound are deleted),
	// LivesSeconds each pod so long after it was bound (0: they
	// stay).
	Finish       bool    `json:"finish,omitempty"`
	LivesSeconds int     `json:"livesSeconds,omitempty"`
	Groups       []Group `json:"groups"`
}

// Policy of a group.
type Policy string

const (
	// Plain pods belong to no group; each group of them is just so many pods.
	Plain Policy = "plain"
	// Gang is all or nothing.
	Gang Policy = "gang"
	// Basic groups are scheduled as their pods come.
	Basic Policy = "basic"
)

// Group is a number of equal groups.
type Group struct {
	Name string `json:"name"`
	// Count of groups, which follows the scale. PerNode: it grows with the cluster, and not with the scale unless it is
	// Scaled too (a fill of which a scale below 1 makes a part, that a run on a large cluster ends in minutes). Fixed: it
	// grows with neither.
	Count   int  `json:"count"`
	PerNode bool `json:"perNode,omitempty"`
	Scaled  bool `json:"scaled,omitempty"`
	Fixed   bool `json:"fixed,omitempty"`
	// Policy (default gang). Quorum of a gang (default: all members).
	Policy Policy `json:"policy,omitempty"`
	Quorum int    `json:"quorum,omitempty"`
	// Pods of one group, by shape. SizePerNode: their numbers grow with the cluster, rounded down (up where the group is
	// Unbound); a group that is left with no pod is left out.
	Pods        []Pods `json:"pods"`
	SizePerNode bool   `json:"sizePerNode,omitempty"`
	// Priority of the pods and the group.
	Priority int32 `json:"priority,omitempty"`
	// Topology is the level ("rack", "zone") all members must share; empty for none.
	Topology string `json:"topology,omitempty"`
	// DisruptAll: the members are only disrupted together.
	DisruptAll bool `json:"disruptAll,omitempty"`
	// Apart: the members of one group share a host port, which is no other group's, so that each needs a node of its own.
	Apart bool `json:"apart,omitempty"`
	// Tree puts the group at the leaves of composites: [2, 4] is a root of 2 composites of 4 groups each. Count counts
	// roots.
	Tree []int `json:"tree,omitempty"`
	// Bound pods are created bound by the driver, past the scheduler: "spread" over all nodes in turn, or "pack" node by
	// node.
	Bound string `json:"bound,omitempty"`
	// Unbound: it must not fit, and stays.
	Unbound bool `json:"unbound,omitempty"`
}

// Pods of one shape.
type Pods struct {
	Count  int    `json:"count"`
	CPU    string `json:"cpu,omitempty"`
	Memory string `json:"memory,omitempty"`
	GPUs   int    `json:"gpus,omitempty"`
	// Devices the pod gets through a claim generated for it.
	Devices int `json:"devices,omitempty"`
}

// Size of one group: its pods.
func (g Group) Size() (n int) {
	for _, p := range g.Pods {
		n += p.Count
	}
	return n
}

// Leaves is how many groups one of Count stands for: 1, or those at the leaves of its tree.
func (g Group) Leaves() int {
	n := 1
	for _, children := range g.Tree {
		n *= children
	}
	return n
}

// ErrUnknown is wrapped by Named's error.
var ErrUnknown = errors.New("there is no such performance scenario")

// All scenarios, by file and in order.
func All() ([]Scenario, error) {
	files, err := fs.Glob(data, "data/*.yaml")
	if err != nil {
		return nil, fmt.Errorf("listing the scenarios' files: %w", err)
	}
	var out []Scenario
	for _, f := range files {
		raw, err := data.ReadFile(f)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", f, err)
		}
		some, err := Parse(raw)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", f, err)
		}
		out = append(out, some...)
	}
	return out, nil
}

// Parse reads scenarios strictly and validates each.
func Parse(raw []byte) ([]Scenario, error) {
	var out []Scenario
	if err := yaml.UnmarshalStrict(raw, &out); err != nil {
		return nil, err
	}
	for i := range out {
		out[i].defaults()
		if err := out[i].Validate(); err != nil {
			return nil, fmt.Errorf("scenario %q: %w", out[i].Name, err)
		}
	}
	return out, nil
}

// Named finds a scenario. The error wraps ErrUnknown and lists what there is.
func Named(name string) (Scenario, error) {
	all, err := All()
	if err != nil {
		return Scenario{}, err
	}
	names := make([]string, len(all))
	for i, s := range all {
		if s.Name == name {
			return s, nil
		}
		names[i] = s.Name
	}
	slices.Sort(names)
	return Scenario{}, fmt.Errorf("%w: %q; there are %s", ErrUnknown, name, strings.Join(names, ", "))
}
