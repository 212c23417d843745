package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"muster/fakes/cluster"
	"muster/fakes/undertest"
	"muster/reports/v1alpha1"
	"muster/suites/run"
	"muster/suites/run/conduct"
	"muster/suites/run/fold"
	"muster/suites/run/plan"
)

// conformanceFlags are the flags of muster conformance.
type conformanceFlags struct {
	selection      plan.Selection
	scheduling     undertest.Options
	profileFile    string
	schedulerGates string
	gates          string
	who            undertest.Profile // what flags say over the profile
	readyTimeout   time.Duration
	kubeconfig     string
	context        string
	parallel       int
	seed           int64
	settle         time.Duration
	known          string
	out            string
	keep           bool
	output         string
	verbose        bool
	backdrop       backdropFlags
}

// What --settle can be. Below a second the machine's own slowness would be judged; a day is longer than any run.
const (
	minSettle = time.Second
	maxSettle = 24 * time.Hour
)

func (f *conformanceFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVar(&f.selection.Profiles, "profile", nil, "profiles to judge (default all; see muster list profiles)")
	flags.StringSliceVar(&f.selection.Requirements, "requirement", nil, "single requirements to judge, by ID")
	flags.StringSliceVar(&f.selection.Scenarios, "scenario", nil, "single scenarios to run, by name")

	flags.StringVar(&f.scheduling.Scheduler, "scheduler", "",
		"scheduler under test: "+strings.Join(undertest.Kinds(), ", ")+" or mutant:NAME (default kube-scheduler)")
	flags.StringVar(&f.scheduling.Exec, "scheduler-exec", "",
		"command to run as the scheduler under test, split into words without a shell; {{.Kubeconfig}}, {{.SchedulerName}}, {{.RunDir}} and {{.LeaderElect}} are filled in")
	flags.StringSliceVar(&f.scheduling.Names, "scheduler-name", nil, "schedulerNames it schedules for (default those of its profile)")
	flags.StringVar(&f.schedulerGates, "scheduler-gates", "", "feature gates of the scheduler under test alone, NAME=true|false,…")
	flags.StringVar(&f.profileFile, "scheduler-profile", "", "file with what is known about the scheduler under test")
	flags.StringVar(&f.who.Version, "scheduler-version", "", "version of the scheduler under test (default that of its profile)")
	flags.StringVar(&f.who.Organization, "organization", "", "who is judged: organisation")
	flags.StringVar(&f.who.Project, "project", "", "who is judged: project")
	flags.StringVar(&f.who.URL, "url", "", "who is judged: URL")
	flags.StringVar(&f.who.Contact, "contact", "", "who is judged: contact")
	flags.DurationVar(&f.readyTimeout, "ready-timeout", time.Minute, "how long the scheduler may take to bind a first pod")

	flags.StringVar(&f.gates, "gates", "", "feature gates of the whole control plane, NAME=true|false,…")
	flags.StringVar(&f.kubeconfig, "kubeconfig", "", "judge the scheduler of an existing cluster (not possible yet)")
	flags.StringVar(&f.context, "context", "", "context of the kubeconfig (not possible yet)")

	flags.IntVar(&f.parallel, "parallel", run.DefaultParallel(), "how many scenarios run beside one another")
	flags.Int64Var(&f.seed, "seed", 0, "seed of the workload (default drawn; it does not reproduce the interleaving)")
	flags.DurationVar(&f.settle, "settle", 0, "settle bound for groups of every size (default that of the scheduler's profile)")
	flags.StringVar(&f.known, "known-findings", "", "file with further known findings")

	f.backdrop.add(flags)
	flags.StringVar(&f.out, "out", "", "directory for the report, new or empty (default muster-out/<time>)")
	flags.BoolVar(&f.keep, "keep", false, "leave the clusters' logs and storage behind")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "say more: what was established for every requirement")
	outputFlag(cmd, &f.output, "table")
}

// options are what the flags ask for.
func (f *conformanceFlags) options(flags *pflag.FlagSet) (conduct.Options, error) {
	o := conduct.Options{
		Selection: f.selection, Scheduling: f.scheduling, ReadyTimeout: f.readyTimeout, Settle: f.settle,
		Parallel: f.parallel, Seed: f.seed, Out: f.out, Effective: effective(flags),
		Muster: v1alpha1.Muster{Version: currentVersions().Kubernetes, Revision: strings.TrimSuffix(revision, "-dirty"),
			Modified: strings.HasSuffix(revision, "-dirty"), Go: currentVersions().Go},
	}
	o.Cluster.Keep = f.keep
	if err := refuseEmpty(flags); err != nil {
		return o, err
	}
	if f.kubeconfig != "" || f.context != "" {
		return o, errors.New("--kubeconfig and --context: judging the scheduler of an existing cluster is later work; " +
			"this version judges on the control plane it starts itself (leave the flags away, and name your scheduler with --scheduler-exec)")
	}
	if f.parallel < 1 {
		return o, fmt.Errorf("--parallel %d: at least one scenario has to run at a time", f.parallel)
	}
	if f.readyTimeout <= 0 {
		return o, fmt.Errorf("--ready-timeout %s: it leaves the scheduler no time to bind a first pod", f.readyTimeout)
	}
	if flags.Changed("settle") && (f.settle < minSettle || f.settle > maxSettle) {
		return o, fmt.Errorf("--settle %s: use at least %s and at most %s, or leave the flag away for the bound of the "+
			"scheduler's profile", f.settle, minSettle, maxSettle)
	}
	if err := checkMutant(f.scheduling.Scheduler); err != nil {
		return o, err
	}
	var err error
	if o.Cluster.Gates, err = cluster.ParseGates(f.gates); err != nil {
		return o, fmt.Errorf("--gates: %w", err)
	}
	if o.Scheduling.Gates, err = cluster.ParseGates(f.schedulerGates); err != nil {
		return o, fmt.Errorf("--scheduler-gates: %w", err)
	}
	if o.Scheduling.Profile, err = f.profile(); err != nil {
		return o, err
	}
	if o.Known, err = readKnown(f.known); err != nil {
		return o, err
	}
	if o.Backdrop, err = f.backdrop.pool(); err != nil {
		return o, err
	}
	return o, cluster.CheckParent(o.Cluster.Parent)
}

// profile is the scheduler's, with what flags say over it. The zero profile leaves it to the kind's own.
func (f *conformanceFlags) profile() (undertest.Profile, error) {
	var p undertest.Profile
	if f.profileFile != "" {
		var err error
		if p, err = undertest.LoadProfile(f.profileFile); err != nil {
			return p, fmt.Errorf("--scheduler-profile: %w", err)
		}
	}
	if f.who.Version+f.who.Organization+f.who.Project+f.who.URL+f.who.Contact == "" {
		return p, nil
	}
	if p.Name == "" {
		kind := f.scheduling.Scheduler
		switch {
		case f.scheduling.Exec != "":
			kind = "exec"
		case kind == "":
			kind = undertest.KubeScheduler
		}
		p, _ = undertest.BuiltinProfile(kind)
	}
	for _, field := range []struct {
		to   *string
		from string
	}{
		{&p.Version, f.who.Version}, {&p.Organization, f.who.Organization}, {&p.Project, f.who.Project},
		{&p.URL, f.who.URL}, {&p.Contact, f.who.Contact},
	} {
		if field.from != "" {
			*field.to = field.from
		}
	}
	return p, nil
}

// readKnown reads a file of known findings; no file, none.
func readKnown(file string) ([]fold.KnownFinding, error) {
	if file == "" {
		return nil, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("--known-findings: %w", err)
	}
	known, err := fold.ParseKnown(data)
	if err != nil {
		return nil, fmt.Errorf("--known-findings %s: %w", file, err)
	}
	return known, nil
}

// effective are all flags with their values, defaults included, for the report. Paths say where something lay on one
// machine and nothing about the result.
func effective(flags *pflag.FlagSet) map[string]string {
	out := map[string]string{}
	flags.VisitAll(func(f *pflag.Flag) {
		switch f.Name {
		case "out", "help", "kubeconfig", "context", "output", "verbose", "keep":
			return
		}
		out[f.Name] = f.Value.String()
	})
	return out
}
