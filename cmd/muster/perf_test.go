package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"muster/fakes/undertest"
	"muster/perf/measure"
	"muster/perf/report"
	"muster/perf/results"
	"muster/perf/scenario"
)

// perfRefused calls a verb that must be refused as the user's mistake, before anything is started.
func perfRefused(t *testing.T, want string, args ...string) {
	t.Helper()
	root := newRootCommand()
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&out)
	root.SetArgs(append([]string{"perf"}, args...))
	err := root.ExecuteContext(t.Context())
	if codeOf(err) != exitUsage || !strings.Contains(err.Error(), want) {
		t.Errorf("%v: %v (exit code %d); want one that says %q", args, err, codeOf(err), want)
	}
}

func TestPerfRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("full/x", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("profile.yaml", []byte("name: mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		want string
		args []string
	}{
		{"perf what?", nil},
		{"unknown verb \"walk\"; see muster perf --help", []string{"walk"}},
		{"unknown verb \"compre\"; did you mean compare?", []string{"compre", "--scenario", "singles"}},
		{"unknown verb \"baselne\"", []string{"baselne"}},
		{"--scale 0: it has to be positive", []string{"run", "--scenario", "singles", "--scale", "0"}},
		{"--scale -1: it has to be positive", []string{"run", "--scenario", "singles", "--scale", "-1"}},
		{"--nodes -1: nodes cannot be negative", []string{"run", "--scenario", "singles", "--nodes", "-1"}},
		{"without a unit", []string{"run", "--scenario", "singles", "--nodes", "5k"}},
		{"10 % is 0.1", []string{"gate", "--scenario", "singles", "--loss", "10%"}},
		{"without a unit", []string{"run", "--scenario", "singles", "--client-qps", "5000/s"}},
		{"a duration such as 30s or 5m", []string{"run", "--scenario", "singles", "--patience", "5"}},
		{"--scenario is missing", []string{"run"}},
		{"there is no such performance scenario", []string{"run", "--scenario", "gangs-of-9"}},
		{"named twice", []string{"run", "--scenario", "singles,singles"}},
		{"take more nodes", []string{"run", "--scenario", "singles", "--nodes", "5"}},
		{"--nodes 0", []string{"run", "--scenario", "singles", "--nodes", "0"}},
		{"not a DNS subdomain", []string{"run", "--scenario", "singles", "--scheduler-name", "My_Scheduler"}},
		{"not a DNS subdomain", []string{"compare", "--scenario", "singles", "--scheduler-name", "My_Scheduler"}},
		{"--scheduler-profile", []string{"run", "--scenario", "singles", "--scheduler-exec", "/bin/true", "--scheduler-profile", "nowhere"}},
		{"no side is a command", []string{"compare", "--scenario", "singles", "--scheduler-profile", "profile.yaml"}},
		{"GiB", []string{"run", "--scenario", "singles", "--nodes", "900000"}},
		{"at least one", []string{"run", "--scenario", "singles", "--runs", "0"}},
		{"at most 10000", []string{"run", "--scenario", "singles", "--runs", "2000000000"}},
		{"positive and finite", []string{"run", "--scenario", "singles", "--client-qps", "0.1"}},
		{"positive and finite", []string{"run", "--scenario", "singles", "--client-qps", "1e300"}},
		{"has to be finite", []string{"compare", "--scenario", "singles", "--b-exec", "/bin/true", "--exec-client-qps", "0.1"}},
		{"at most 10000", []string{"ceiling", "--scenario", "singles", "--concurrency", "1000000000"}},
		{"at most 10000", []string{"run", "--scheduler", "ceiling", "--scenario", "singles", "--ceiling-concurrency", "1000000000"}},
		{"a side is called", []string{"compare", "--scenario", "singles", "--a", "x y", "--a-exec", "/bin/true", "--b", "x_y", "--b-exec", "/bin/true"}},
		{"a side is called", []string{"compare", "--scenario", "singles", "--b", strings.Repeat("x", 300), "--b-exec", "/bin/true"}},
		{"positive and finite", []string{"run", "--scenario", "singles", "--client-qps", "NaN"}},
		{"has to be finite", []string{"run", "--scenario", "singles", "--exec-client-qps", "Inf"}},
		{"named twice", []string{"ceiling", "--scenario", "singles", "--concurrency", "4,4"}},
		{"whole numbers", []string{"ceiling", "--scenario", "singles", "--concurrency", "few"}},
		{"is not empty", []string{"run", "--scenario", "singles", "--out", "full"}},
		{"no such scheduler", []string{"run", "--scenario", "singles", "--scheduler", "none"}},
		{"named twice", []string{"run", "--scenario", "singles", "--scheduler", "reference,reference"}},
		{"needs GenericWorkload", []string{"run", "--scenario", "gangs-of-8", "--gates", "GenericWorkload=false"}},
		{"no such scheduler", []string{"compare", "--scenario", "singles", "--a", "mine"}},
		{"needs another name", []string{"compare", "--scenario", "singles", "--b", undertest.KubeScheduler}},
		{"the ceiling is muster's own", []string{"compare", "--scenario", "singles", "--b", results.Ceiling, "--b-exec", "/bin/true"}},
		{"handicap", []string{"compare", "--scenario", "singles", "--b-handicap", "1"}},
		{"--concurrency", []string{"ceiling", "--scenario", "singles", "--concurrency", "0"}},
		{"--ceiling-concurrency -1", []string{"run", "--scheduler", "ceiling", "--scenario", "singles", "--ceiling-concurrency", "-1"}},
		{"none of the sides", []string{"run", "--scenario", "singles", "--ceiling-concurrency", "4"}},
		{"none of the sides", []string{"compare", "--scenario", "singles", "--ceiling-concurrency", "4", "--no-ceiling"}},
		{"no side is a command", []string{"run", "--scenario", "singles", "--exec-client-qps", "50"}},
		{"no side is a command", []string{"ceiling", "--scenario", "singles", "--exec-client-qps", "50"}},
		{"--seed 0", []string{"run", "--scenario", "singles", "--seed", "0"}},
		// Nothing would be measured, or nothing that the verb is there for.
		{"nothing to measure: preemption-100 with ceiling", []string{"run", "--scenario", "preemption-100", "--scheduler", "ceiling"}},
		{"nothing to measure: infeasible-gang with ceiling", []string{"run", "--scenario", "singles,infeasible-gang", "--scheduler", "ceiling"}},
		{"nothing to measure: reclaim with ceiling-2", []string{"ceiling", "--scenario", "reclaim"}},
		// Its figure is a latency, of which the sweep would name the highest.
		{"only what is offered at a given rate", []string{"ceiling", "--scenario", "steady-gangs-of-8"}},
		{"without ceiling there would be nothing to say", []string{"compare", "--a", "ceiling", "--scenario", "preemption-100"}},
		{"--ceiling-concurrency -1", []string{"compare", "--scenario", "singles", "--ceiling-concurrency", "-1"}},
	} {
		perfRefused(t, tc.want, tc.args...)
	}
	if left, _ := filepath.Glob("muster-out/*"); len(left) > 0 {
		t.Errorf("refused runs left %v", left)
	}
}

// TestNamesReachTheSides: names go to every side, a profile to commands.
func TestNamesReachTheSides(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("profile.yaml", []byte("name: mine\nschedulerNames: [own]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	two := twoSides{bExec: "/bin/true", names: nameFlags{names: []string{"batch"}, profileFile: "profile.yaml"}}
	sides, err := two.sides()
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range sides {
		if !slices.Equal(s.Scheduling.Names, []string{"batch"}) || (s.Scheduling.Profile.Name == "mine") != (i == 1) {
			t.Errorf("side %s: names %v, profile %q", s.Name, s.Scheduling.Names, s.Scheduling.Profile.Name)
		}
	}
}

// TestTheCeilingIsWhatItIsToldToBe, also where it is one of the two sides that are compared.
func TestTheCeilingIsWhatItIsToldToBe(t *testing.T) {
	for _, two := range []twoSides{{}, {a: results.Ceiling}, {b: results.Ceiling, noCeiling: true}} {
		two.ceiling.concurrency, two.handicap = 7, 0.1
		sides, err := two.sides()
		if err != nil {
			t.Fatal(err)
		}
		ceilings := 0
		for i, s := range sides {
			if s.Name == results.Ceiling {
				ceilings++
				if !slices.Equal(s.Scheduling.Args, []string{"--concurrency=7"}) || !s.Unjudged {
					t.Errorf("%+v", s)
				}
			}
			if (s.Scheduling.Handicap != 0) != (i == 1) {
				t.Errorf("side %d has a handicap of %v", i, s.Scheduling.Handicap)
			}
		}
		if ceilings != 1 {
			t.Errorf("%d ceilings among %+v", ceilings, sides)
		}
	}
}

func TestListPerf(t *testing.T) {
	data, table, err := listPerf(listing{})
	all, _ := scenario.All()
	if listed, ok := data.([]listedLoad); err != nil || !ok || len(listed) != len(all) || !strings.Contains(table.Render(), "gangs-of-8") {
		t.Errorf("%v, %v", data, err)
	}
}

func perfRecord(t *testing.T, sides ...string) *results.Record {
	t.Helper()
	s, err := scenario.Named("gangs-of-8")
	if err != nil {
		t.Fatal(err)
	}
	sized, err := s.At(scenario.Size{})
	if err != nil {
		t.Fatal(err)
	}
	r := &results.Record{Scenarios: []*scenario.Sized{sized}}
	for i, side := range sides {
		r.Sides = append(r.Sides, results.Side{Name: side})
		for half := range 2 {
			run := results.Run{
				Scenario: sized.Name, Nodes: sized.Nodes, Shape: sized.Shape(), Side: side, N: half + 1, Half: half,
				Result: &measure.Result{Validity: measure.Validity{Valid: true}},
			}
			run.Result.Throughput.Rate = float64(100 * (i + 1))
			run.Figure = sized.Figure.Of(run.Result)
			r.Runs = append(r.Runs, run)
		}
	}
	return r
}

func TestComparisonEndsWithItsFigures(t *testing.T) {
	lines := comparison(perfRecord(t, "x", "y", results.Ceiling))
	want := "gangs-of-8 nodes=5000 a=100 pods/s b=200 pods/s ceiling=300 pods/s a/ceiling=0.333 b/ceiling=0.667 b/a=2"
	if got := lines[len(lines)-1]; got != want {
		t.Errorf("%s; want %s", got, want)
	}
	if got := lines[0]; got != "a is x, b is y" {
		t.Errorf("nobody says what a and b are: %s", got)
	}
}

func TestPerfEnds(t *testing.T) {
	good, broke, without := perfRecord(t, "x"), perfRecord(t, "x"), perfRecord(t, "x")
	broke.Runs[1].Verdicts = &results.Verdicts{Failed: 1}
	without.Runs[0].Error, without.Runs[1].Incomplete = "it fell over", true
	one := perfRecord(t, "x")
	one.Runs[0].Error = "it fell over" // the other is enough
	for name, tc := range map[string]struct {
		r    *results.Record
		code int
	}{"good": {good, exitOK}, "rules were broken": {broke, exitViolations}, "no valid run": {without, exitInconclusive}, "one valid run": {one, exitOK}} {
		if err := perfEnd(tc.r, nil); codeOf(err) != tc.code {
			t.Errorf("%s: %v (exit code %d)", name, err, codeOf(err))
		}
	}
	unwritten := errors.New("the disk is full")
	if err := perfEnd(broke, unwritten); codeOf(err) != exitViolations || !errors.Is(err, unwritten) {
		t.Errorf("rules were broken, and the disk is full: %v (exit code %d)", err, codeOf(err))
	}
	if err := perfEnd(good, unwritten); codeOf(err) != exitInconclusive {
		t.Errorf("the disk is full: %v (exit code %d)", err, codeOf(err))
	}
}

// A record that JSON cannot hold, or no room for it, takes no report along.
func TestWhatCannotBeWrittenTakesNothingAlong(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, recordFile), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := writePerf(dir, perfRecord(t, "x")); err == nil {
		t.Error("there is no record, and nobody says so")
	}
	if raw, err := os.ReadFile(filepath.Join(dir, report.YAMLFile)); err != nil || len(raw) == 0 {
		t.Errorf("%s: %d bytes, %v", report.YAMLFile, len(raw), err)
	}
}

func TestBestConcurrency(t *testing.T) {
	lines := best(perfRecord(t, "ceiling-8", "ceiling-64", "ceiling-32"), []int{8, 32, 64})
	if len(lines) != 1 || lines[0] != "gangs-of-8 nodes=5000 ceiling=300 pods/s concurrency=32" {
		t.Errorf("%v", lines)
	}
}

// A ceiling that kept up with its creator shows the creator's pace, also where the sweep calls it something else.
func TestBestConcurrencyIsNotTheCreatorsPace(t *testing.T) {
	r := perfRecord(t, "ceiling-8", "ceiling-64")
	for _, run := range r.Of(r.Scenarios[0].Shape(), "ceiling-64") {
		run.Result.Load.Arrival = measure.Burst
		run.Result.Validity.Labels = []measure.Problem{{Kind: measure.CreatorBound, Message: "it kept up"}}
	}
	lines := best(r, []int{8, 64})
	if len(lines) != 1 || lines[0] != "gangs-of-8 nodes=5000 ceiling=100 pods/s concurrency=8" {
		t.Errorf("%v", lines)
	}
}
