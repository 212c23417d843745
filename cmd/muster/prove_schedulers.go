package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"muster/fakes/undertest"
	"muster/reports/v1alpha1"
	"muster/suites"
	"muster/suites/prove"
	"muster/suites/prove/stage"
	"muster/suites/run"
	"muster/suites/run/conduct"
	"muster/suites/run/embedded"
	"muster/suites/run/env"
	"muster/suites/run/plan"
)

// sharing is how many schedulers are judged at a time where they share control planes. They wait for what does not happen
// most of the time.
const sharing = 14

// referenceParts is in how many trials the reference scheduler is judged where control planes are shared: its scenarios that run
// one by one take seven minutes.
const referenceParts = 5

// guestCanaries is the time between two canaries of a scheduler that shares a control plane: as many measure, each the less
// often, so that what is measured is not the measuring.
const guestCanaries = 10 * time.Second

// judgeSchedulers judges the reference scheduler and mutants of it, on clusters they share unless they are to have their own.
func (f *proveFlags) judgeSchedulers(ctx context.Context, schedulers []prove.Subject, b *broken, starts chan struct{}, tell func(prove.Trial)) ([]prove.Trial, error) {
	s := &stage.Stage{Name: fmt.Sprintf("muster-guests-%d", os.Getpid()), Spread: f.clusters, Starts: starts}
	parts := 1
	if f.sharing() {
		parts = referenceParts
	}
	var references atomic.Int32
	trials, err := prove.Run(ctx, prove.Options{
		Subjects: schedulers, Scenarios: b.catalogue.Scenarios, Full: f.full, Parts: parts, AtOnce: f.atOnce, Tell: tell,
		Judge: func(ctx context.Context, name string, selection plan.Selection) (*v1alpha1.ConformanceReport, error) {
			as := nameOf(name)
			if name == "" {
				if n := references.Add(1); n > 1 {
					as = fmt.Sprintf("%s-%d", as, n)
				}
			}
			return f.conduct(ctx, name, as, selection, s, b.catalogue.Scenarios)
		},
	})
	return trials, errors.Join(err, s.Close(context.WithoutCancel(ctx)))
}

// conduct judges one scheduler; as is what it is called where others must not be called the same.
func (f *proveFlags) conduct(ctx context.Context, name, as string, selection plan.Selection, s *stage.Stage, all []suites.Scenario) (*v1alpha1.ConformanceReport, error) {
	kind := undertest.Reference
	if name != "" {
		kind = undertest.MutantPrefix + name
	}
	o := conduct.Options{
		Selection: selection, Scheduling: undertest.Options{Scheduler: kind}, Parallel: f.parallel, Seed: f.seed,
		Out: filepath.Join(f.out, as),
	}
	if f.sharing() {
		o.Scheduling.Names = []string{"muster-" + as}
		o.Tag, o.Remove = as, true
		o.CanaryEvery = guestCanaries
		belongs := env.Belongs(selection.Scenarios, o.Tag)
		alone := alone(selection, all)
		o.World = func(base *embedded.World) run.World { return s.Guest(base, belongs, alone) }
	}
	report, _, err := conduct.Run(ctx, o)
	return report, err
}

// alone says in which shards of a run there is a scenario that cannot share its control plane; nil: in none.
func alone(selection plan.Selection, all []suites.Scenario) func(shard string) bool {
	shards := map[string]bool{}
	for _, sc := range all {
		if slices.Contains(selection.Scenarios, sc.Name) && prove.Alone(sc) {
			shards[run.ShardOf(sc)] = true
		}
	}
	if len(shards) == 0 {
		return nil
	}
	return func(shard string) bool { return shards[shard] }
}
