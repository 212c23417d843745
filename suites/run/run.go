package run

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"muster/suites"
	"muster/suites/run/env"
	"muster/suites/run/fold"
	"muster/suites/run/plan"
)

// MainShard is the name of the session that Shared and Exclusive scenarios use.
const MainShard = "main"

// Keys under which the main shard's header says what the run was about, so that a stored history gives the verdicts of
// the live run: the IDs of the expected set and the profiles it is about, separated by commas, whether those profiles
// were asked for by name, and whether single requirements or scenarios were asked for ("true").
const (
	InfoExpected = "expected"
	InfoProfiles = "profiles"
	InfoNamed    = "named"
	InfoNarrowed = "narrowed"
)

// InfoShared is "true" in the header of a record of part of a cluster: others used it at the same time, the run's own other
// sessions among them.
const InfoShared = "shared"

// Result of a run, before it is judged.
type Result struct {
	// Shards are the history files, the main one first.
	Shards []string
	// Interrupted: the context ended.
	Interrupted bool
	// Err is why the run ended before all scenarios did, apart from an interrupt: a component died, a cluster did not
	// start, the disk is full. What was recorded before is judged all the same.
	Err error
	// Sessions, the main one first.
	Sessions []Session
}

// Incomplete reports whether nothing follows from what is absent.
func (r *Result) Incomplete() bool { return r.Interrupted || r.Err != nil }

// Session is what a report says about one cluster.
type Session struct {
	Name     string
	Gates    map[string]bool
	Versions map[string]string
	// Ready is the time from the scheduler's start to its first canary.
	Ready time.Duration
	// Canary is the median bind latency of the canaries of the whole session.
	Canary time.Duration
	// LogTail of the scheduler at the end.
	LogTail []string
}

// Run runs the plan. An error means that nothing could be run at all: the main cluster or the scheduler under test did
// not come up, or the cluster lacks the APIs. Everything later is in the result.
func Run(ctx context.Context, o Options) (*Result, error) {
	o = o.withDefaults()
	r := &runner{o: o, result: &Result{}, omitted: map[string]omission{}}
	for _, s := range o.Plan.Filtered {
		r.omit(s.Name, fold.Filtered, fold.NotAsked)
	}
	var main, own []suites.Scenario
	for _, s := range o.Plan.Scenarios {
		if s.Isolation == suites.OwnCluster {
			own = append(own, s)
		} else {
			main = append(main, s)
		}
	}
	if err := r.main(ctx, main, own); err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		r.result.Interrupted = true
	}
	return r.result, nil
}

// runner is one call of Run.
type runner struct {
	o      Options
	result *Result

	mu sync.Mutex
	// omitted scenarios wait for the main record to be written into.
	omitted map[string]omission
}

type omission struct {
	status fold.Status
	reason string
}

func (r *runner) omit(name string, status fold.Status, reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.omitted[name] = omission{status, reason}
}

// main runs the main session, then (its cluster still there, so that what was omitted can be recorded) the clusters of
// their own.
func (r *runner) main(ctx context.Context, scenarios, own []suites.Scenario) error {
	_, broken := breaking(scenarios)
	// Where everybody breaks the API the scheduler is wanted in another session alone.
	s, err := r.open(ctx, MainShard, suites.Needs{NoScheduler: len(scenarios) > 0 && len(broken) == len(scenarios)})
	if err != nil {
		return err
	}
	scenarios, own = r.able(scenarios, r.withFaults(s.offer)), r.able(own, s.offer.AnyGates())
	scenarios, broken = breaking(scenarios)
	weights := map[string]int{}
	for _, sc := range slices.Concat(scenarios, broken, own) {
		weights[sc.Name] = max(sc.Weight, 1)
	}
	r.o.Progress.Planned(weights)
	slices.SortStableFunc(scenarios, func(a, b suites.Scenario) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), strings.Compare(a.Name, b.Name))
	})
	r.shared(s, slices.DeleteFunc(slices.Clone(scenarios), func(x suites.Scenario) bool { return x.Isolation != suites.Shared }))
	r.exclusive(s, slices.DeleteFunc(slices.Clone(scenarios), func(x suites.Scenario) bool { return x.Isolation != suites.Exclusive }))
	s.rest(context.WithoutCancel(ctx))
	r.faulty(ctx, broken)
	for _, sc := range own {
		r.own(ctx, s, sc)
	}
	r.mu.Lock()
	for _, name := range slices.Sorted(maps.Keys(r.omitted)) {
		o := r.omitted[name]
		env.Omit(s.recorder, name, string(o.status), o.reason)
	}
	r.mu.Unlock()
	r.finish(ctx, s)
	return nil
}

// able are the scenarios that the offer has room for; the others are omitted.
func (r *runner) able(scenarios []suites.Scenario, offer plan.Offer) []suites.Scenario {
	unsupported := offer.Unsupported(r.o.Requirements)
	return slices.DeleteFunc(slices.Clone(scenarios), func(sc suites.Scenario) bool {
		why := offer.Lacks(sc, unsupported)
		if why != "" {
			r.omit(sc.Name, fold.Unsupported, why)
		}
		return why != ""
	})
}

// shared runs scenarios beside one another.
func (r *runner) shared(s *session, scenarios []suites.Scenario) {
	var wg sync.WaitGroup
	places := make(chan struct{}, r.o.Parallel)
	for i, sc := range scenarios {
		if i > 0 {
			pause(s.ctx, r.o.Stagger)
		}
		select {
		case places <- struct{}{}:
		case <-s.ctx.Done():
		}
		if s.ctx.Err() != nil {
			for _, left := range scenarios[i:] {
				r.omit(left.Name, fold.NotRun, s.why())
			}
			break
		}
		wg.Go(func() {
			defer func() { <-places }()
			r.scenario(s, sc)
		})
	}
	wg.Wait()
}

// exclusive runs scenarios alone, one after the other, with nothing measured beside them.
func (r *runner) exclusive(s *session, scenarios []suites.Scenario) {
	if len(scenarios) > 0 {
		s.canary.pause()
		defer s.canary.resume()
	}
	for _, sc := range scenarios {
		if s.ctx.Err() != nil {
			r.omit(sc.Name, fold.NotRun, s.why())
			continue
		}
		r.scenario(s, sc)
	}
}

// own runs a scenario in a cluster of its own. One that does not come up breaks this scenario alone.
func (r *runner) own(ctx context.Context, main *session, sc suites.Scenario) {
	switch {
	case ctx.Err() != nil:
		r.omit(sc.Name, fold.NotRun, "interrupted before its turn")
		return
	case !slices.Contains(main.offer.Capabilities, setGates):
		r.omit(sc.Name, fold.Unsupported, "the cluster cannot "+setGates)
		return
	}
	s, err := r.open(ctx, sc.Name, sc.Needs)
	if err != nil {
		status := fold.Broken
		if ctx.Err() != nil {
			status = fold.Interrupted
		}
		r.omit(sc.Name, status, err.Error())
		return
	}
	r.scenario(s, sc)
	r.finish(ctx, s)
}

// setGates is the capability of having further clusters.
const setGates = "set-gates"

// finish closes a session and takes over what a report says about it.
func (r *runner) finish(ctx context.Context, s *session) {
	s.close(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.result.Shards = append(r.result.Shards, s.file)
	r.result.Sessions = append(r.result.Sessions, s.about)
	if s.name == MainShard {
		// The main session is closed last and named first.
		slices.Reverse(r.result.Shards)
		slices.Reverse(r.result.Sessions)
	}
	r.result.Err = errors.Join(r.result.Err, s.err())
}

// pause waits, or until ctx is done.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
