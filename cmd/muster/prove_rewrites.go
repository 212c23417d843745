package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"muster/fakes/undertest"
	"muster/reports/v1alpha1"
	"muster/suites/prove"
	"muster/suites/prove/rewrite"
	"muster/suites/prove/rewrites"
	"muster/suites/prove/stage"
	"muster/suites/run"
	"muster/suites/run/conduct"
	"muster/suites/run/embedded"
	"muster/suites/run/plan"
)

// broken are the control planes that are wrong on purpose, as subjects and as what is done to them.
type broken struct {
	catalogue plan.Catalogue
	subjects  []prove.Subject
	rewrites  map[string]rewrite.Rewrite
}

func newBroken(c plan.Catalogue) (*broken, error) {
	subjects, all, err := rewrites.Subjects(c.Scenarios)
	if err != nil {
		return nil, err
	}
	b := &broken{catalogue: c, subjects: subjects, rewrites: map[string]rewrite.Rewrite{}}
	for _, r := range all {
		b.rewrites[r.Name] = r
	}
	return b, nil
}

// check refuses a name that none of them has.
func (b *broken) check(name string) error {
	var names []string
	for _, s := range b.subjects {
		names = append(names, s.Name)
	}
	return plan.Check("rewrite", name, names)
}

// choose is prove.Choose, with the control plane that nobody made wrong wherever one is that somebody did. Beside rewrites
// chosen by name it is judged on their scenarios alone.
func (b *broken) choose(all []prove.Subject, profiles, names []string) []prove.Subject {
	chosen := prove.Choose(all, profiles, names)
	i := slices.IndexFunc(chosen, func(s prove.Subject) bool { return s.ControlPlane })
	if i < 0 || len(names) == 0 || slices.Contains(names, rewrites.AsIs) {
		return chosen
	}
	return slices.Insert(chosen, i, b.subjects[0])
}

// apart are the schedulers and the control planes.
func apart(all []prove.Subject) (schedulers, planes []prove.Subject) {
	for _, s := range all {
		if s.ControlPlane {
			planes = append(planes, s)
		} else {
			schedulers = append(schedulers, s)
		}
	}
	return schedulers, planes
}

// judgePlanes judges control planes, on clusters they share.
func (f *proveFlags) judgePlanes(ctx context.Context, planes []prove.Subject, b *broken, starts chan struct{}, tell func(prove.Trial)) ([]prove.Trial, error) {
	s := &stage.Stage{Name: fmt.Sprintf("muster-stage-%d", os.Getpid()), Starts: starts}
	trials, err := prove.Run(ctx, prove.Options{
		Subjects: planes, Scenarios: b.catalogue.Scenarios, WithoutReference: true, AtOnce: f.rewrites, Tell: tell,
		Judge: func(ctx context.Context, name string, selection plan.Selection) (*v1alpha1.ConformanceReport, error) {
			r := b.rewrites[name]
			report, _, err := conduct.Run(ctx, conduct.Options{
				Selection: selection, Scheduling: undertest.Options{Scheduler: undertest.Reference}, Parallel: f.parallel, Seed: f.seed,
				Out: filepath.Join(f.out, strings.ReplaceAll(name, ":", "-")), Tag: name, Remove: true,
				World: func(base *embedded.World) run.World {
					t := stage.Trial{Name: r.Name, Alone: alone(selection, b.catalogue.Scenarios)}
					if r.Rules != nil {
						t.Rules = r.Rules()
					}
					return s.World(base, t)
				},
			})
			return report, err
		},
	})
	return trials, errors.Join(err, s.Close(context.WithoutCancel(ctx)))
}
