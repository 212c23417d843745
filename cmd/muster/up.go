package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"muster/fakes/cluster"
	"muster/fakes/nodes"
	"muster/fakes/standing"
	"muster/fakes/undertest"
)

// defaultName of a cluster used by hand.
const defaultName = "muster"

// upFlags are the flags of muster up.
type upFlags struct {
	spec           standing.Spec
	gates          string
	schedulerGates string
	profileFile    string
	output         string
	foreground     bool
	devices        nodes.Devices
}

func newUpCommand() *cobra.Command {
	var f upFlags
	cmd := &cobra.Command{
		Use:   "up",
		Short: "Bring up a cluster of simulated GPU nodes and print its kubeconfig",
		Long: `Bring up a Kubernetes control plane with simulated nodes and a scheduler, and leave it running.
It takes some seconds. Nothing is downloaded and nothing listens beyond 127.0.0.1.`,
		Example: `  eval "$(muster up --nodes 5000 --gpus 8 --nodes-per-rack 16)" && kubectl get nodes
  muster up --nodes 64 --devices h100 --partitions && kubectl get resourceslices,deviceclasses
  muster up --name try --scheduler-exec './my-scheduler --kubeconfig {{.Kubeconfig}}'
  muster down --all`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.spec.Name, "name", defaultName, "name of the cluster")
	f.nodeFlags(flags)
	flags.StringVar(&f.gates, "gates", "", "feature gates of the whole control plane, NAME=true|false,…")
	flags.StringVar(&f.spec.Scheduler, "scheduler", "", "scheduler: "+strings.Join(undertest.Kinds(), ", ")+" (default kube-scheduler)")
	flags.StringVar(&f.spec.SchedulerExec, "scheduler-exec", "", "command to run as the scheduler instead; {{.Kubeconfig}}, {{.SchedulerName}} and {{.RunDir}} are filled in")
	flags.StringVar(&f.schedulerGates, "scheduler-gates", "", "feature gates of the scheduler alone, NAME=true|false,…")
	flags.StringSliceVar(&f.spec.SchedulerNames, "scheduler-name", nil, "schedulerNames it schedules for (default those of its profile)")
	flags.StringVar(&f.profileFile, "scheduler-profile", "", "file with a scheduler profile")
	flags.DurationVar(&f.spec.ReadyTimeout, "ready-timeout", time.Minute, "how long the scheduler may take to bind a first pod")
	flags.IntVarP(&f.spec.Verbosity, "verbosity", "v", 0, "verbosity of the components' logs")
	flags.BoolVar(&f.spec.Keep, "keep", false, "leave logs and storage behind when it goes down")
	flags.BoolVar(&f.foreground, "foreground", false, "stay in the foreground until interrupted")
	outputFlag(cmd, &f.output, "table")
	return cmd
}

func (f *upFlags) run(cmd *cobra.Command) error {
	if err := refuseEmpty(cmd.Flags()); err != nil {
		return usage(err)
	}
	if err := f.describeDevices(cmd.Flags()); err != nil {
		return usage(err)
	}
	if err := f.complete(); err != nil {
		return usage(err)
	}
	progress := func(what string) { _, _ = fmt.Fprintln(cmd.ErrOrStderr(), what) }
	if f.foreground {
		return standing.Run(cmd.Context(), f.spec, func(e standing.Event) {
			if e.Ready != nil {
				_ = f.print(cmd.OutOrStdout(), *e.Ready)
				return
			}
			progress(e.Progress)
		})
	}
	r, err := standing.Launch(cmd.Context(), f.spec, []string{superviseVerb}, progress)
	if inUse := (*standing.InUseError)(nil); errors.As(err, &inUse) {
		return usage(err)
	}
	if err != nil && cmd.Context().Err() != nil {
		return withCode(exitInterrupted, err)
	}
	if err != nil {
		return err
	}
	progress(readiness(r))
	for _, note := range r.Notes {
		progress("note: " + note)
	}
	return f.print(cmd.OutOrStdout(), r)
}

// complete turns flags into a checked spec.
func (f *upFlags) complete() error {
	if err := checkOutput(f.output); err != nil {
		return err
	}
	f.spec.Nodes.Name, f.spec.Nodes.Open = "node", true
	var err error
	if f.spec.Gates, err = cluster.ParseGates(f.gates); err != nil {
		return fmt.Errorf("--gates: %w", err)
	}
	if f.spec.SchedulerGates, err = cluster.ParseGates(f.schedulerGates); err != nil {
		return fmt.Errorf("--scheduler-gates: %w", err)
	}
	if f.profileFile != "" {
		p, err := undertest.LoadProfile(f.profileFile)
		if err != nil {
			return err
		}
		f.spec.Profile = &p
	}
	return f.spec.Check()
}

// readiness says how long it took and what it takes.
func readiness(r standing.Record) string {
	text := fmt.Sprintf("ready after %.1f s, with %s of memory", r.ReadyAfter, mebibytes(r.ReadyRSS))
	if r.Devices > 0 {
		text += fmt.Sprintf("; %d nodes and %d devices could be listed after %.1f s", r.Nodes, r.Devices, r.VisibleAfter)
	}
	return text
}

// print what can be fed to a shell: everything but the export is a comment to it.
func (f *upFlags) print(w io.Writer, r standing.Record) error {
	return print(w, f.output, r, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "# kubeconfig of cluster %s: %s\nexport KUBECONFIG=%s\n", r.Name, r.Kubeconfig, shellQuote(r.Kubeconfig))
		return err
	})
}

// shellQuote quotes where a shell would see more than one plain word.
func shellQuote(s string) string {
	plain := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("/._-+:@%=,", c)
	}
	if s != "" && strings.IndexFunc(s, func(c rune) bool { return !plain(c) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// superviseVerb is the hidden verb muster up leaves behind.
const superviseVerb = "supervise"

func newSuperviseCommand() *cobra.Command {
	return &cobra.Command{
		Use:    superviseVerb,
		Short:  "Keep a cluster up (started by muster up)",
		Hidden: true,
		Args:   noArguments,
		RunE:   func(cmd *cobra.Command, _ []string) error { return standing.Supervise(cmd.Context()) },
	}
}
