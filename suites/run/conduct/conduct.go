package conduct

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"muster/fakes/cluster"
	"muster/fakes/undertest"
	"muster/reports/v1alpha1"
	"muster/suites"
	"muster/suites/check"
	"muster/suites/history"
	"muster/suites/requirements"
	"muster/suites/run"
	_ "muster/suites/run/all" // registers every scenario
	"muster/suites/run/compose"
	"muster/suites/run/embedded"
	"muster/suites/run/fold"
	"muster/suites/run/judge"
	"muster/suites/run/plan"
	"muster/workloads/dialect"
)

// prepared is a run of which everything has been checked that can be before it starts.
type prepared struct {
	Options
	catalogue plan.Catalogue
	plan      *plan.Plan
	profile   history.SchedulerProfile
	dialect   *dialect.Dialect
	known     []fold.KnownFinding
	began     time.Time
}

// Run judges a scheduler. The report is complete as far as the run got, also where the error is that of an interrupt;
// its Summary carries the exit code. out is the output directory.
func Run(ctx context.Context, o Options) (r *v1alpha1.ConformanceReport, out string, err error) {
	p, err := prepare(o)
	if err != nil {
		return nil, "", err
	}
	if p.Out, err = prepareOutput(o.Out); err != nil {
		return nil, "", usage(err)
	}
	world := &embedded.World{
		Options: p.Cluster, Name: "muster-" + token(), Scheduling: p.Scheduling, ReadyTimeout: p.ReadyTimeout,
		Dialect: p.dialect, Progress: p.Progress, Backdrop: &embedded.Backdrop{Pool: p.Backdrop},
	}
	var staged run.World = world
	if p.World != nil {
		staged = p.World(world)
	}
	result, err := run.Run(ctx, run.Options{
		Plan: p.plan, Requirements: p.catalogue.Requirements, World: staged, Tag: p.Tag, Remove: p.Remove, CanaryEvery: p.CanaryEvery, Dialect: p.dialect,
		Dir: filepath.Join(p.Out, historyDir), Profile: p.profile, Seed: p.Seed, Parallel: p.Parallel,
		NoScheduler: p.Scheduling.Scheduler == undertest.None,
		Info:        map[string]string{"version": p.Muster.Version, "revision": p.Muster.Revision},
		Progress:    p.Progress,
	})
	if err != nil {
		if ctx.Err() == nil {
			tidy(p.Out)
			return nil, p.Out, err
		}
		// Interrupted before anything ran: the report says so of every requirement.
		result = &run.Result{Interrupted: true}
	}
	report, err := p.judge(result, world)
	if err != nil {
		return nil, p.Out, err
	}
	return report, p.Out, writeReport(p.Out, report)
}

// prepare checks everything that can be checked before anything starts.
func prepare(o Options) (*prepared, error) {
	p := &prepared{Options: o, began: time.Now()}
	var err error
	if p.catalogue, err = Catalogue(); err != nil {
		return nil, err
	}
	inForce, gates := cluster.ResolveGates(cluster.DefaultGates(), o.Cluster.Gates)
	var selected error
	p.plan, selected = plan.New(p.catalogue, o.Selection)
	if err := errors.Join(selected, gates, o.Scheduling.Check(inForce.Gates)); err != nil {
		return nil, usage(err)
	}
	if err := checkPools(p.plan, o.Backdrop); err != nil {
		return nil, usage(err)
	}
	if p.profile, err = profileOf(o); err != nil {
		return nil, usage(err)
	}
	if p.dialect, err = dialect.Load(p.profile.Dialect); err != nil {
		return nil, usage(err)
	}
	if p.known, err = fold.BuiltinKnown(); err != nil {
		return nil, err
	}
	p.known = append(p.known, o.Known...)
	if err := checkKnown(p.catalogue, o.Known); err != nil {
		return nil, err
	}
	for _, u := range p.profile.Unsupported {
		names := append(plan.IDs(p.catalogue.Requirements), p.catalogue.Profiles()...)
		if err := plan.Check("requirement or profile", u, names); err != nil {
			return nil, usage(fmt.Errorf("scheduler profile: unsupported: %w", err))
		}
	}
	if p.Seed == 0 {
		n, err := rand.Int(rand.Reader, big.NewInt(1<<31))
		if err != nil {
			return nil, fmt.Errorf("drawing a seed: %w", err)
		}
		p.Seed = n.Int64() + 1
	}
	if p.ReadyTimeout <= 0 {
		p.ReadyTimeout = time.Minute
	}
	if p.Progress == nil {
		p.Progress = run.Silent{}
	}
	return p, nil
}

// all requirements, read once: a proof is some hundred runs.
var all = sync.OnceValues(requirements.All)

// Catalogue is everything this muster can judge.
func Catalogue() (plan.Catalogue, error) {
	reqs, err := all()
	if err != nil {
		return plan.Catalogue{}, fmt.Errorf("reading the catalogue: %w", err)
	}
	return plan.Catalogue{Requirements: slices.Clone(reqs), Scenarios: suites.Scenarios(), OnRequest: requirements.OnRequest(), Order: requirements.Order()}, nil
}

// Judge is the one way from histories to findings.
func Judge(c plan.Catalogue) *judge.Judge {
	j := &judge.Judge{
		Requirements: c.Requirements,
		Scenario:     suites.ScenarioByName,
		Reader:       func(name string) (history.Dialect, error) { return dialect.Load(name) },
	}
	for _, k := range check.All() {
		j.Checks = append(j.Checks, judge.Check{Name: k.Name, Requirement: k.ID, Run: k.Func})
	}
	return j
}

// profileOf is what is known about the scheduler under test, in the words of a history.
func profileOf(o Options) (history.SchedulerProfile, error) {
	u := o.Scheduling.Profile
	if u.Name == "" {
		kind := o.Scheduling.Scheduler
		switch {
		case o.Scheduling.Exec != "":
			kind = "exec"
		case kind == "":
			kind = undertest.KubeScheduler
		}
		var ok bool
		if u, ok = undertest.BuiltinProfile(kind); !ok {
			return history.SchedulerProfile{}, fmt.Errorf("scheduler %s has no profile of its own: give one with --scheduler-profile", kind)
		}
	}
	if len(o.Scheduling.Names) > 0 {
		u.SchedulerNames = o.Scheduling.Names
	}
	p := history.SchedulerProfile{
		Name: u.Name, Version: u.Version, SchedulerNames: u.SchedulerNames, Dialect: u.Dialect, Unsupported: u.Unsupported,
		SettleRoot: u.SettleRoot, SettleBase: u.SettleBase,
		Organization: u.Organization, Project: u.Project, URL: u.URL, Contact: u.Contact,
	}
	if o.Settle > 0 {
		p.SettleRoot, p.SettleBase = 0, o.Settle.Seconds()
	}
	return p, nil
}

func token() string {
	b := make([]byte, 4)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// composed is what a stored history and a live run have in common.
func composed(c plan.Catalogue, files []string) (compose.Input, []*history.History, []error, error) {
	var histories []*history.History
	alone, err := aloneAmong(files)
	if err != nil {
		return compose.Input{}, nil, nil, err
	}
	for _, f := range files {
		h, err := read(f, alone[f])
		if err != nil {
			return compose.Input{}, nil, nil, err
		}
		histories = append(histories, h)
	}
	in, warnings, err := compose.Stored(Judge(c), histories)
	return in, histories, warnings, err
}
