// Command gates runs the suites with each feature gate of workload-aware scheduling off, one by one, and says where a
// verdict differs from what the catalogue promises: exactly the requirements whose gates say so are not supported, and
// every other verdict is that of a run with all gates on.
//
//	go run ./hack/gates -bin bin/muster -profile api,job,builder
//	go run ./hack/gates -bin bin/muster -profile topology TopologyAwareWorkloadScheduling CompositePodGroup
//
// Exit code 1 where something differs, 3 where a run came to nothing.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"muster/fakes/cluster"
	"muster/reports/v1alpha1"
	"muster/suites"
)

func main() {
	bin := flag.String("bin", "bin/muster", "the command to run")
	profiles := flag.String("profile", "", "profiles to judge (default all)")
	scheduler := flag.String("scheduler", "kube-scheduler", "scheduler under test")
	flag.Parse()
	gates := flag.Args()
	if len(gates) == 0 {
		gates = slices.Sorted(maps.Keys(cluster.DefaultGates()))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	r := runner{bin: *bin, args: []string{"--scheduler", *scheduler}}
	if *profiles != "" {
		r.args = append(r.args, "--profile", *profiles)
	}
	differ, err := r.all(ctx, gates)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "gates:", err)
		os.Exit(3)
	case differ:
		os.Exit(1)
	}
}

type runner struct {
	bin  string
	args []string
}

// all runs once with every gate on, then with each of the gates off.
func (r runner) all(ctx context.Context, gates []string) (bool, error) {
	dir, err := os.MkdirTemp("", "gates")
	if err != nil {
		return false, fmt.Errorf("making a directory for the reports: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	on, err := r.run(ctx, filepath.Join(dir, "all"))
	if err != nil {
		return false, fmt.Errorf("running with all gates on: %w", err)
	}
	fmt.Printf("all gates on: exit %d, %s\n", on.Summary.ExitCode, on.Summary.Line)
	differ := false
	for _, gate := range gates {
		resolved, err := cluster.ResolveGates(cluster.DefaultGates(), map[string]bool{gate: false})
		if err != nil {
			return false, err
		}
		off, err := r.run(ctx, filepath.Join(dir, gate), "--gates", gate+"=false")
		if err != nil {
			return false, fmt.Errorf("running with %s off: %w", gate, err)
		}
		wrong, gone := Compare(on, off, resolved.Gates)
		fmt.Printf("%s off: exit %d, %d requirements hang on it, %d verdicts are not as promised, %s\n",
			gate, off.Summary.ExitCode, gone, len(wrong), off.Summary.Line)
		for _, w := range wrong {
			fmt.Println("  " + w)
		}
		differ = differ || len(wrong) > 0
	}
	return differ, nil
}

func (r runner) run(ctx context.Context, out string, more ...string) (*v1alpha1.ConformanceReport, error) {
	args := append(append([]string{"conformance", "--out", out}, r.args...), more...)
	cmd := exec.CommandContext(ctx, r.bin, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	said, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	data, err := os.ReadFile(filepath.Join(out, "report.yaml"))
	if err != nil {
		return nil, fmt.Errorf("%s left no report (%w); it said:\n%s", strings.Join(append([]string{r.bin}, args...), " "), err, said)
	}
	var report v1alpha1.ConformanceReport
	if err := yaml.Unmarshal(data, &report); err != nil {
		return nil, fmt.Errorf("reading the report: %w", err)
	}
	return &report, nil
}

// Compare says which verdicts are not what they have to be with these gates in force, given a run with all of them on,
// and how many requirements hang on what is off.
func Compare(on, off *v1alpha1.ConformanceReport, gates map[string]bool) (wrong []string, gone int) {
	verdicts := map[string]v1alpha1.Requirement{}
	for _, q := range off.Requirements {
		verdicts[q.ID] = q
	}
	for _, q := range on.Requirements {
		want := q.Verdict
		if slices.ContainsFunc(q.Gates, func(g string) bool { known, ok := gates[g]; return ok && !known }) {
			want = suites.NotSupported
			gone++
		}
		got := verdicts[q.ID]
		if want != suites.NotSupported && strings.HasPrefix(q.ID, "INV-") && got.Verdict == suites.Skipped {
			continue // the scenarios that exercised it are among those that could not run
		}
		if got.Verdict != want {
			wrong = append(wrong, fmt.Sprintf("%s is %s, want %s: %s", q.ID, orAbsent(got.Verdict), want, got.Reason))
		}
	}
	return wrong, gone
}

func orAbsent(v suites.Verdict) suites.Verdict {
	if v == "" {
		return "absent"
	}
	return v
}
