package runner

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"muster/fakes/cluster"
	"muster/fakes/undertest"
	"muster/perf/compare"
	"muster/perf/measure"
	"muster/perf/results"
	"muster/perf/scenario"
)

// Side is one contender, and how it is started.
type Side struct {
	// Name it is called by in figures; no two sides share one.
	Name string
	// Scheduling says which scheduler; Cluster is filled in for each run, as are the client limits: those of the cluster.
	Scheduling undertest.Options
	// Client limits that a command was given, where that is known: built-in schedulers get the cluster's.
	Client measure.Client
	// Build is what a built-in scheduler's executable (Scheduling.Binary) says that it is; zero: it is this program.
	Build Build
	// Unjudged sides decide nothing (the ceiling): what they break is written down and makes no run invalid.
	Unjudged bool
}

// Build of muster.
type Build struct {
	// Path as the user named it, the Revision it was built from, and the version of Kubernetes inside it.
	Path, Revision, Kubernetes string
}

// UnknownRevision is what a build says that nobody told its revision.
const UnknownRevision = "unknown"

// Options of an invocation. Sides, Scenarios and Out are required.
type Options struct {
	Sides     []Side
	Scenarios []*scenario.Sized
	// Runs of each side and scenario (default 1).
	Runs int
	// Out is the directory for the histories.
	Out string
	// Cluster's options; Name and Seed are filled in for each run.
	Cluster cluster.Options
	// Seed of the schedules.
	Seed int64
	// Workers submit at the same time (default 4: on two cores more only queue up in the API server, where everybody else has
	// to queue behind them; and twice as many as binders, so that there is a backlog to work off).
	Workers int
	// Patience is how long a run waits for the next pod to be bound before it is given up as unfinished (default 5 min).
	Patience time.Duration
	// ReadyTimeout for a scheduler's first canary (default 1 min).
	ReadyTimeout time.Duration
	// Discard removes the history of a run once it was measured and found valid.
	Discard bool
	// Paired are the sides whose runs are compared pair by pair: a block of theirs that an invalid run has spoilt is made
	// again, up to a third of the blocks there were to be (default: none is).
	Paired []string
	// Command, Kubernetes and Muster are for the record: how it was called, the version of the control plane, and which
	// revision of this program it was.
	Command, Kubernetes, Muster string
	// Progress (default: nobody is told).
	Progress Progress
}

func (o Options) withDefaults() (Options, error) {
	if len(o.Sides) == 0 || len(o.Scenarios) == 0 || o.Out == "" {
		return o, errors.New("running performance scenarios: sides, scenarios and an output directory are required")
	}
	seen, files := map[string]bool{}, map[string]string{}
	for _, s := range o.Sides {
		if s.Name == "" || seen[s.Name] {
			return o, fmt.Errorf("running performance scenarios: side %q: every side needs a name of its own", s.Name)
		}
		// Else the histories of one would be written over those of the other.
		if other, ok := files[fileName(s.Name)]; ok {
			return o, fmt.Errorf("running performance scenarios: sides %q and %q would both be called %s in file names; give them names that differ in letters, digits, hyphens or dots",
				other, s.Name, fileName(s.Name))
		}
		seen[s.Name], files[fileName(s.Name)] = true, s.Name
	}
	for _, name := range o.Paired {
		if !seen[name] {
			return o, fmt.Errorf("running performance scenarios: %q is to be compared, and is none of the sides", name)
		}
	}
	if o.Runs <= 0 {
		o.Runs = 1
	}
	if o.Workers <= 0 {
		o.Workers = 4
	}
	if o.Patience <= 0 {
		o.Patience = 5 * time.Minute
	}
	if o.ReadyTimeout <= 0 {
		o.ReadyTimeout = time.Minute
	}
	if o.Progress == nil {
		o.Progress = Silent{}
	}
	return o, nil
}

// slot is one run to be made.
type slot struct {
	compare.Slot
	sized *scenario.Sized
	side  Side
	n     int
}

// plan is every run in its order: the scenarios one after the other, and the sides of each in turns, so that what changes
// slowly on the machine hits all of them alike.
func (o Options) plan() []slot {
	names := make([]string, len(o.Sides))
	byName := map[string]Side{}
	for i, s := range o.Sides {
		names[i], byName[s.Name] = s.Name, s
	}
	var out []slot
	for _, sized := range o.Scenarios {
		count := map[string]int{}
		mine := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return byName[n].Answers(sized) != nil })
		for _, s := range compare.Interleave(o.Runs, mine...) {
			count[s.Side]++
			out = append(out, slot{s, sized, byName[s.Side], count[s.Side]})
		}
	}
	return out
}

// limits are the client limits that every side gets: those of the cluster's own components.
func (o Options) limits() (qps float64, burst int) {
	qps, burst = o.Cluster.QPS, o.Cluster.Burst
	if qps == 0 {
		qps = cluster.ClientQPS
	}
	if burst == 0 {
		burst = int(2 * qps)
	}
	return qps, burst
}

// client are the side's limits: a command's are its own affair, and known only where somebody says so.
func (s Side) client(qps float64, burst int) measure.Client {
	if s.Scheduling.Exec != "" {
		return s.Client
	}
	return measure.Client{QPS: qps, Burst: burst}
}

// about is what the record says of the side. own is this program's revision.
func (s Side) about(qps float64, burst int, own string) results.Side {
	out := results.Side{Name: s.Name, Kind: s.Scheduling.Scheduler, Exec: s.Scheduling.Exec, Unjudged: s.Unjudged}
	switch {
	case out.Exec != "":
		out.Kind = "exec"
	case out.Kind == "":
		out.Kind = undertest.KubeScheduler
	}
	out.Client = s.client(qps, burst)
	p := s.Scheduling.Profile
	if p.Name == "" {
		p, _ = undertest.BuiltinProfile(out.Kind)
	}
	out.Version = p.Version
	if out.Exec != "" {
		return out
	}
	out.Path, out.Revision = s.Build.Path, own
	if s.Build != (Build{}) {
		out.Revision = s.Build.Revision
	}
	if out.Revision == UnknownRevision {
		out.Revision = ""
	}
	if out.Kind == undertest.KubeScheduler {
		out.Version = cmp.Or(s.Build.Kubernetes, out.Version)
	} else { // what is muster's own is as new as muster
		out.Version = cmp.Or(out.Version, out.Revision)
	}
	return out
}
