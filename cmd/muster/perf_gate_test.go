package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"muster/fakes/undertest"
	"muster/perf/compare"
	"muster/perf/measure"
	"muster/perf/report"
	"muster/perf/results"
	"muster/perf/scenario"
)

func TestPerfGateRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"baseline.yaml": "apiVersion: muster/v1alpha1\nkind: PerfBaseline\nshape: x\nfigure: throughput\nper: ceiling\nvalues: [0.5]\n",
		"other.yaml":    "apiVersion: muster/v1alpha1\nkind: PerfBaseline\nshape: gangs-of-8 nodes=500 scale=1\nfigure: throughput\nper: ceiling\nvalues: [0.5, 0.5, 0.5]\n",
		"profile.yaml":  "name: mine\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	commands := []string{"gate", "--scenario", "singles", "--base-exec", "/bin/true", "--head-exec", "/bin/false", "--exec-client-qps", "5000"}
	with := func(more ...string) []string { return slices.Concat(commands, more) }
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		want string
		args []string
	}{
		{"--runs 4", []string{"gate", "--scenario", "singles", "--base-exec", "/bin/true", "--runs", "4"}},
		{"--runs 4", []string{"gate", "--scenario", "singles", "--baseline", "nowhere", "--runs", "4"}},
		{"nothing to compare with", []string{"gate", "--scenario", "singles"}},
		{"exclude each other", []string{"gate", "--scenario", "singles", "--base", "x", "--base-exec", "y"}},
		{"exclude each other", []string{"gate", "--scenario", "singles", "--base", "x", "--baseline", "y"}},
		{"one figure of one scenario", []string{"gate", "--scenario", "singles,gangs-of-8", "--base-exec", "/bin/true"}},
		{"no executable of muster", []string{"gate", "--scenario", "singles", "--base", "/bin/true"}},
		{"there is no such file", []string{"gate", "--scenario", "singles", "--base", "nowhere"}},
		{"--baseline", []string{"gate", "--scenario", "singles", "--baseline", "nowhere"}},
		{"--alpha", []string{"gate", "--scenario", "singles", "--base-exec", "/bin/true", "--alpha", "1"}},
		{"cannot accept it", []string{"gate", "--scenario", "singles", "--base-exec", "/bin/true", "--tolerance", "0.2"}},
		{"no directory", []string{"gate", "--scenario", "singles", "--base-exec", "/bin/true", "--head-exec", "/bin/true", "--exec-client-qps", "5000", "--store", "nowhere/x.yaml"}},
		{"no file", []string{"gate", "--scenario", "singles", "--base-exec", "/bin/true", "--head-exec", "/bin/true", "--exec-client-qps", "5000", "--store", "."}},
		{"none of throughput, gang-ready", []string{"gate", "--scenario", "singles", "--base-exec", "/bin/true", "--figure", "speed"}},
		{"a scheduler already", []string{"gate", "--scenario", "singles", "--base-exec", "/bin/true", "--head-exec", "/bin/true", "--head-scheduler", "reference"}},
		{"--exec-client-qps is missing", []string{"gate", "--scenario", "singles", "--base-exec", "/bin/true", "--head-exec", "/bin/false"}},
		{"--exec-client-qps is missing", []string{"gate", "--scenario", "singles", "--base", binary, "--head-exec", "/bin/false"}},
		{"the other side has 5000", []string{"gate", "--scenario", "singles", "--base", binary, "--head-exec", "/bin/false", "--exec-client-qps", "50"}},
		{"nothing to measure", []string{"gate", "--scenario", "singles", "--base", binary, "--scheduler", "none"}},
		{"no side is that built-in", with("--scheduler", "kube-scheduler")},
		{"none of the sides", with("--figure", "scheduler-cpu", "--ceiling-concurrency", "4")},
		{"--ceiling-concurrency -1", with("--ceiling-concurrency", "-1")},
		{"no side is a command", []string{"gate", "--scenario", "singles", "--base", binary, "--scheduler-profile", "profile.yaml"}},
		{"not a DNS subdomain", with("--scheduler-name", "My_Scheduler")},
		{"nothing is decided", []string{"gate", "--scenario", "singles", "--store", "x.yaml", "--alpha", "0.05"}},
		// What would be measured for half an hour and then not be decided.
		{"nobody says where it serves them", with("--figure", "solve")},
		{"--scenario reclaim: a baseline holds fractions of the ceiling", []string{"gate", "--scenario", "reclaim", "--store", "x.yaml"}},
		{"--scenario reclaim: a baseline holds fractions of the ceiling", []string{"gate", "--scenario", "reclaim", "--baseline", "baseline.yaml"}},
		{"--figure throughput: reclaim with ceiling", []string{"gate", "--scenario", "reclaim", "--base", binary, "--figure", "throughput"}},
		{"--figure solve: a baseline holds fractions of the ceiling", []string{"gate", "--scenario", "singles", "--baseline", "baseline.yaml", "--figure", "solve"}},
		{"it can be of throughput, scheduler-cpu;", []string{"gate", "--scenario", "singles", "--store", "x.yaml", "--figure", "solve"}},
		{"--runs 2: a gate takes no baseline of fewer than 12 runs", []string{"gate", "--scenario", "singles", "--store", "x.yaml", "--runs", "2"}},
		{"--min-runs 2", []string{"gate", "--scenario", "singles", "--store", "x.yaml", "--runs", "2", "--min-runs", "2"}},
		{"it is of throughput of \"x\"", []string{"gate", "--scenario", "singles", "--baseline", "baseline.yaml"}},
		{"only 3 runs where a gate needs 12", []string{"gate", "--scenario", "gangs-of-8", "--nodes", "500", "--baseline", "other.yaml"}},
		{"it is of throughput", []string{"gate", "--scenario", "gangs-of-8", "--nodes", "500", "--scale", "0.02", "--baseline", "other.yaml", "--min-runs", "4"}},
		{"it is of throughput", []string{"gate", "--scenario", "gangs-of-8", "--nodes", "500", "--figure", "scheduler-cpu", "--baseline", "other.yaml", "--min-runs", "4"}},
		{"--alpha", with("--alpha", "1e-300")},
		{"--power", with("--power", "0.01")},
		{"--figure reclaim: singles has no reclaim: there is nobody to evict in it; it can be of throughput, scheduler-cpu, solve", []string{"gate", "--scenario", "singles", "--base", binary, "--figure", "reclaim"}},
	} {
		perfRefused(t, tc.want, tc.args...)
	}
	if left, _ := filepath.Glob("muster-out/*"); len(left) > 0 {
		t.Errorf("refused runs left %v", left)
	}
}

// A gate on throughput has the ceiling beside it, and is about the other two; other figures do without.
func TestSidesOfAGate(t *testing.T) {
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		f             gateFlags
		sides, paired string
	}{
		{gateFlags{base: binary}, "base head ceiling", "base head"},
		{gateFlags{base: binary, perfFlags: perfFlags{figure: scenario.Solve}}, "base head", "base head"},
		{gateFlags{base: binary, store: "x", perfFlags: perfFlags{figure: scenario.SchedulerCPU}}, "base head ceiling", "base head ceiling"},
		{gateFlags{store: "x"}, "head ceiling", "head ceiling"},
	} {
		tc.f.scenarios, tc.f.scheduler, tc.f.qps, tc.f.runs = []string{"gangs-of-8"}, undertest.Reference, 5000, 12
		tc.f.options = compare.Options{Alpha: 0.01, Loss: 0.1, Power: 0.95, MinRuns: 12}
		sides, _, err := tc.f.sides(func(string) bool { return false })
		var names []string
		for _, s := range sides {
			names = append(names, s.Name)
		}
		if err != nil || strings.Join(names, " ") != tc.sides || strings.Join(tc.f.needed, " ") != tc.sides || strings.Join(tc.f.paired, " ") != tc.paired {
			t.Errorf("%q, paired %q (%v); want %s", names, tc.f.paired, err, tc.sides)
		}
	}
}

// Names and profiles reach the sides of a gate, so that schedulers with names and gangs of their own can be gated.
func TestNamesReachTheSidesOfAGate(t *testing.T) {
	profile := filepath.Join(t.TempDir(), "profile.yaml")
	if err := os.WriteFile(profile, []byte("name: mine\nschedulerNames: [own]\nmetrics: http://127.0.0.1:1/metrics\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	f := gateFlags{baseExec: "/bin/true", headExec: "/bin/false", names: nameFlags{names: []string{"batch"}, profileFile: profile}}
	f.scenarios, f.qps, f.execQPS, f.runs, f.figure = []string{"gangs-of-8"}, 5000, 50, 12, scenario.Solve
	f.options = compare.Options{Alpha: 0.01, Loss: 0.1, Power: 0.95, MinRuns: 12}
	sides, _, err := f.sides(func(string) bool { return false })
	if err != nil || len(sides) != 2 {
		t.Fatalf("%+v, %v", sides, err)
	}
	for _, s := range sides {
		if !slices.Equal(s.Scheduling.Names, []string{"batch"}) || s.Scheduling.Profile.Name != "mine" || !s.Scheduling.TellsMetrics() {
			t.Errorf("side %s: names %v, profile %q", s.Name, s.Scheduling.Names, s.Scheduling.Profile.Name)
		}
	}
}

// gated is a record of base, head and the ceiling, each at a rate, in n runs that differ by a hundredth.
func gated(t *testing.T, n int, base, head, ceiling float64) *results.Record {
	t.Helper()
	r := perfRecord(t, baseSide, headSide, results.Ceiling)
	rate := map[string]float64{baseSide: base, headSide: head, results.Ceiling: ceiling}
	pattern := r.Runs[0]
	r.Runs = nil
	for i, slot := range compare.Interleave(n, baseSide, headSide, results.Ceiling) {
		run, m := pattern, *pattern.Result
		m.Throughput.Rate = rate[slot.Side] * (1 + 0.002*float64(i*i%11))
		m.Fairness.Client.QPS = 5000
		run.Side, run.Block, run.Half, run.N, run.Result = slot.Side, slot.Block, slot.Half, 2*slot.Block+slot.Half+1, &m
		run.Figure = r.Scenarios[0].Figure.Of(&m)
		r.Runs = append(r.Runs, run)
	}
	return r
}

// The verdict, the exit code and every file say the same.
func TestGateDecides(t *testing.T) {
	options := compare.Options{Alpha: 0.01, Loss: 0.1, Power: 0.95, MinRuns: 12}
	stored := &compare.Baseline{APIVersion: compare.BaselineVersion, Kind: compare.BaselineKind, Per: "ceiling", Figure: "throughput"}
	for i := range 12 {
		stored.Values = append(stored.Values, 0.5+0.001*float64(i%3))
	}
	waited := gated(t, 12, 100, 100, 200)
	for _, run := range waited.Of(waited.Scenarios[0].Shape(), results.Ceiling) {
		run.Result.Load.Arrival = measure.Burst
		run.Result.Validity.Labels = []measure.Problem{{Kind: measure.CreatorBound, Message: "it kept up"}}
		if len(run.Incomparable()) == 0 {
			t.Fatal("a ceiling that waited is comparable")
		}
	}
	for name, tc := range map[string]struct {
		r      *results.Record
		stored *compare.Baseline
		code   int
		says   string
	}{
		"equal":                      {gated(t, 12, 100, 100, 200), nil, exitOK, "gate: pass: gangs-of-8 (throughput nodes=5000): head is not worse"},
		"slower":                     {gated(t, 12, 100, 80, 200), nil, exitRegression, "gate: regression: "},
		"bound by the API server":    {gated(t, 12, 197, 196, 200), nil, exitInconclusive, "use --figure solve or --figure scheduler-cpu"},
		"a ceiling that waited":      {waited, nil, exitOK, "gate: pass: "},
		"slower, near the ceiling":   {gated(t, 12, 197, 160, 200), nil, exitRegression, "gate: regression: "},
		"as the baseline":            {gated(t, 12, 1, 100, 200), stored, exitOK, "gate: pass: "},
		"slower than the baseline":   {gated(t, 12, 1, 60, 200), stored, exitRegression, "gate: regression: "},
		"at the ceiling by baseline": {gated(t, 12, 1, 190, 200), stored, exitInconclusive, "head reached 95 %"},
	} {
		t.Run(name, func(t *testing.T) {
			if tc.stored != nil {
				tc.stored.Shape = tc.r.Scenarios[0].Shape()
			}
			f := gateFlags{base: "x", options: options}
			f.output = "table"
			var out bytes.Buffer
			cmd := &cobra.Command{}
			cmd.SetOut(&out)
			tc.r.Command, tc.r.Machine.CPUs = "muster perf gate", 2
			tc.r.Lines = f.decide(tc.r, tc.stored)
			if err := f.end(cmd, tc.r); codeOf(err) != tc.code || !strings.Contains(out.String(), tc.says) {
				t.Errorf("exit code %d: %s; want %d: …%s…", codeOf(err), out.String(), tc.code, tc.says)
			}
			dir := t.TempDir()
			if err := writePerf(dir, tc.r); err != nil {
				t.Fatal(err)
			}
			for _, file := range []string{recordFile, report.YAMLFile, report.MarkdownFile} {
				raw, err := os.ReadFile(filepath.Join(dir, file))
				if err != nil || !strings.Contains(string(raw), strings.Fields(tc.r.Gate.Reason)[0]) || !strings.Contains(strings.ToLower(string(raw)), "gate") {
					t.Errorf("%s does not have the verdict (%v)", file, err)
				}
			}
			raw, _ := os.ReadFile(filepath.Join(dir, report.YAMLFile))
			if !strings.Contains(string(raw), "outcome: "+string(tc.r.Gate.Outcome)) {
				t.Errorf("the report's outcome is not %s", tc.r.Gate.Outcome)
			}
		})
	}
}

// Rules that were broken weigh more than what could not be stored for it.
func TestAGateThatCannotStore(t *testing.T) {
	r := gated(t, 2, 1, 1, 2)
	for i := range r.Runs {
		r.Runs[i].Error = "it fell over"
	}
	f := gateFlags{store: filepath.Join(t.TempDir(), "b.yaml")}
	f.output = "table"
	cmd := &cobra.Command{}
	cmd.SetOut(&bytes.Buffer{})
	if err := f.end(cmd, r); codeOf(err) != exitInconclusive || !strings.Contains(err.Error(), "no valid run of gangs-of-8 with head beside the ceiling: nothing stored") {
		t.Errorf("%v", err)
	}
	r.Runs[0].Verdicts = &results.Verdicts{Failed: 1}
	if err := f.end(cmd, r); codeOf(err) != exitViolations {
		t.Errorf("%v", err)
	}
}

func TestStoredBaseline(t *testing.T) {
	r := perfRecord(t, headSide, results.Ceiling)
	file := filepath.Join(t.TempDir(), "b.yaml")
	if err := storeBaseline(file, r, []float64{0.5, 0.6}); err != nil {
		t.Fatal(err)
	}
	f := gateFlags{baseline: file}
	b, err := f.stored()
	if err != nil || b.Shape != r.Scenarios[0].Shape() || len(b.Values) != 2 {
		t.Errorf("%+v, %v", b, err)
	}
	if err := storeBaseline(file, r, nil); codeOf(err) != exitInconclusive {
		t.Errorf("a baseline without values: %v", err)
	}
}
