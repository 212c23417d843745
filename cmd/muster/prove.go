package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"muster/fakes/undertest"
	"muster/scheduler/mutant"
	"muster/suites/prove"
	"muster/suites/prove/rewrite"
	"muster/suites/run"
	"muster/suites/run/conduct"
	"muster/suites/run/plan"
)

// proveFlags are the flags of muster prove.
type proveFlags struct {
	profiles, mutants, from []string
	full                    bool
	atOnce, parallel        int
	clusters                int
	rewrites                int
	seed                    int64
	out, output             string
}

// proofFile is what a run leaves in its output directory, and --from reads.
const proofFile = "proof.yaml"

func newProveCommand() *cobra.Command {
	var f proveFlags
	cmd := &cobra.Command{
		Use:   "prove",
		Short: "Show that requirements can fail: judge schedulers that are wrong on purpose",
		Long: `Judge the reference scheduler and every mutant of it (muster list mutants), and say for each requirement which mutants
were found to violate it. A kill counts only from a mutant that violates all it declares and nothing else. A requirement that
none kills and a mutant that does not count make the exit code 1.

Each mutant runs the scenarios of what it declares. Mutants share control planes, --clusters of them, each with a scheduler
name and nodes of its own; with --clusters 0 each has one to itself. With --full a mutant runs its profiles as a whole, of
which it must pass four fifths, and shares nothing.

Requirements on the control plane are proven by control planes that are wrong: of each (rewrite:ID) one answer, or what is
seen of some objects, is changed on its way to the suite. They share control planes, --rewrites at a time.

A run of everything can be divided: --mutant names a part, and --from puts the parts together.`,
		Example: `  muster prove --profile gang,basic
  muster prove --mutant one-short,partial-fit
  muster prove --from first/proof.yaml,second/proof.yaml -o markdown`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.profiles, "profile", nil, "requirements of these profiles, and the mutants judged on them (default all)")
	flags.StringSliceVar(&f.mutants, "mutant", nil, "these mutants, and the requirements they declare (default all)")
	flags.StringSliceVar(&f.from, "from", nil, "judge nothing; put together what runs before have stored in these files")
	flags.BoolVar(&f.full, "full", false, "run the mutants' profiles as a whole")
	flags.IntVar(&f.atOnce, "at-once", 0, fmt.Sprintf("how many schedulers are judged at a time (default %d, where they share nothing 1)", sharing))
	flags.IntVar(&f.clusters, "clusters", 2, "how many control planes they share (0: each has one of its own)")
	flags.IntVar(&f.rewrites, "rewrites", 6, "how many control planes that are wrong are judged at a time")
	flags.IntVar(&f.parallel, "parallel", run.DefaultParallel(), "how many scenarios run beside one another before each scheduler")
	flags.Int64Var(&f.seed, "seed", 0, "seed of the workload (default drawn for each scheduler)")
	flags.StringVar(&f.out, "out", "", "directory for the proof and the reports, new or empty (default muster-out/<time>)")
	flags.StringVarP(&f.output, "output", "o", "table", "how to print: table, markdown, json or yaml")
	return cmd
}

func (f *proveFlags) run(cmd *cobra.Command) error {
	catalogue, err := conduct.Catalogue()
	if err != nil {
		return err
	}
	broken, err := newBroken(catalogue)
	if err != nil {
		return err
	}
	subjects, err := f.subjects(broken)
	if err != nil {
		return usage(err)
	}
	if err := prove.Check(subjects, catalogue.Requirements, catalogue.Scenarios); err != nil {
		return err
	}
	for _, p := range f.profiles {
		if err := plan.Check("profile", p, catalogue.Profiles()); err != nil {
			return usage(err)
		}
	}
	if f.output != "markdown" {
		if err := checkOutput(f.output); err != nil {
			return err
		}
	}
	if f.atOnce == 0 {
		f.atOnce = 1
		if f.sharing() {
			f.atOnce = sharing
		}
	}
	if f.clusters < 0 {
		return usage(fmt.Errorf("--clusters %d: it cannot be negative", f.clusters))
	}
	if f.atOnce < 1 || f.parallel < 1 || f.rewrites < 1 {
		return usage(fmt.Errorf("--at-once %d, --parallel %d, --rewrites %d: at least one has to run at a time", f.atOnce, f.parallel, f.rewrites))
	}
	var trials []prove.Trial
	if len(f.from) > 0 {
		if trials, err = prove.Read(f.from); err != nil {
			return usage(fmt.Errorf("--from: %w", err))
		}
	} else if trials, err = f.judge(cmd, subjects, broken); err != nil && len(trials) == 0 {
		return err
	}
	proof := prove.Fold(subjects, trials, prove.Scope(catalogue.Requirements, f.profiles, f.mutants, subjects))
	proof.Muster = revision
	if len(f.from) == 0 {
		if err := prove.Store(filepath.Join(f.out, proofFile), proof); err != nil {
			return withCode(exitInconclusive, err)
		}
		_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "proof: %s\n", filepath.Join(f.out, proofFile))
	}
	if err != nil { // interrupted: what was found until then is stored, and proves nothing by itself
		return err
	}
	return f.print(cmd, proof)
}

// subjects are the mutants asked for, as data.
func (f *proveFlags) subjects(b *broken) ([]prove.Subject, error) {
	for _, name := range f.mutants {
		if rewrite.Is(name) {
			if err := b.check(name); err != nil {
				return nil, fmt.Errorf("--mutant: %w", err)
			}
			continue
		}
		if _, err := mutant.ByName(name); err != nil {
			return nil, fmt.Errorf("--mutant: %w", err)
		}
	}
	var all []prove.Subject
	for _, m := range mutant.All() {
		all = append(all, prove.Subject{Name: m.Name, About: m.About, Profiles: m.Profiles, Kills: m.Kills, May: m.May, Scenarios: m.Scenarios})
	}
	chosen := b.choose(append(all, b.subjects...), f.profiles, f.mutants)
	if len(chosen) == 0 {
		return nil, fmt.Errorf("no mutant is judged on --profile %s (see muster list mutants)", strings.Join(f.profiles, ","))
	}
	return chosen, nil
}

// judge runs the trials. Interrupted, it returns those that were made, with the error.
func (f *proveFlags) judge(cmd *cobra.Command, subjects []prove.Subject, b *broken) ([]prove.Trial, error) {
	if f.out == "" {
		f.out = filepath.Join("muster-out", time.Now().Format("20060102-150405"))
	}
	if entries, err := os.ReadDir(f.out); err == nil && len(entries) > 0 {
		return nil, usage(fmt.Errorf("--out %s: the directory is not empty; name a new one", f.out))
	}
	progress := cmd.ErrOrStderr()
	var telling sync.Mutex
	tell := func(t prove.Trial) {
		telling.Lock()
		defer telling.Unlock()
		_, _ = fmt.Fprintf(progress, "%-30s %4.0f s  %d passed, violates %s%s\n", nameOf(t.Scheduler), t.Seconds, len(t.Passed), strings.Join(t.Failed, ", "), t.Error)
	}
	f.frugal()
	starts := make(chan struct{}, max(1, runtime.NumCPU()/2))
	schedulers, planes := apart(subjects)
	var trials, more []prove.Trial
	var errSchedulers, errPlanes error
	var both sync.WaitGroup
	judgeThem := func() { trials, errSchedulers = f.judgeSchedulers(cmd.Context(), schedulers, b, starts, tell) }
	if len(schedulers) > 0 && f.sharing() {
		both.Go(judgeThem) // most of the time both wait
	} else if len(schedulers) > 0 {
		judgeThem()
	}
	if len(planes) > 0 && errSchedulers == nil {
		both.Go(func() { more, errPlanes = f.judgePlanes(cmd.Context(), planes, b, starts, tell) })
	}
	both.Wait()
	return append(trials, more...), withCode(exitInterrupted, errors.Join(errSchedulers, errPlanes))
}

// frugal has this process, and the components it starts, collect garbage less often, unless the user says how often: their heaps are
// small, and they are many. Where there are fewer processors than schedulers judged at a time, each component works on one, unless the
// user says on how many: none has two to itself, and looking for work on the second is work, too.
func (f *proveFlags) frugal() {
	if os.Getenv("GOGC") == "" {
		const percent = 400
		_ = os.Setenv("GOGC", strconv.Itoa(percent)) // fails for malformed names only
		debug.SetGCPercent(percent)
	}
	if os.Getenv("GOMAXPROCS") == "" && f.sharing() && runtime.NumCPU() < f.atOnce {
		_ = os.Setenv("GOMAXPROCS", "1") // read when a process starts: this one keeps what it has
	}
}

// sharing reports whether schedulers are judged on control planes that they share.
func (f *proveFlags) sharing() bool { return f.clusters > 0 && !f.full }

// nameOf is a mutant's name, or the reference's where it is empty.
func nameOf(mutant string) string {
	if mutant == "" {
		return undertest.Reference
	}
	return mutant
}

// print shows the proof, then its last line, and ends with the exit code.
func (f *proveFlags) print(cmd *cobra.Command, p prove.Proof) error {
	out := cmd.OutOrStdout()
	var err error
	if f.output == "markdown" {
		err = p.Markdown(out)
	} else {
		err = print(out, f.output, p, func(w io.Writer) error { return p.Table(w) })
	}
	if err != nil {
		return fmt.Errorf("printing the proof: %w", err)
	}
	for _, o := range p.Objections() {
		_, _ = fmt.Fprintln(cmd.ErrOrStderr(), o)
	}
	last := out
	if f.output != "table" {
		last = cmd.ErrOrStderr()
	}
	if _, err := fmt.Fprintln(last, p.Line()); err != nil {
		return fmt.Errorf("printing the proof: %w", err)
	}
	if !p.Sound {
		return silently(exitViolations)
	}
	return nil
}
