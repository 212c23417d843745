package conduct

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"muster/fakes/cluster"
	"muster/fakes/undertest"
	"muster/suites/history"
	"muster/suites/run/fold"
	"muster/suites/run/plan"
)

func TestMistakesAreFoundBeforeAnythingStarts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		o    Options
		want string
	}{
		"profile":       {Options{Selection: plan.Selection{Profiles: []string{"gagn"}}}, "nearest: gang"},
		"requirement":   {Options{Selection: plan.Selection{Requirements: []string{"GANG-01"}}}, "GANG-001"},
		"scenario":      {Options{Selection: plan.Selection{Scenarios: []string{"gang-wait-for-quorum"}}}, "gang-waits-for-quorum"},
		"scheduler":     {Options{Scheduling: undertest.Options{Scheduler: "kube-schedular"}}, "kube-scheduler"},
		"gate":          {Options{Cluster: cluster.Options{Gates: map[string]bool{"GenericWorklaod": false}}}, "GenericWorkload"},
		"its gate":      {Options{Scheduling: undertest.Options{Gates: map[string]bool{"GenericWorklaod": false}}}, "GenericWorkload"},
		"dialect":       {Options{Scheduling: undertest.Options{Profile: undertest.Profile{Name: "x", SchedulerNames: []string{"x"}, Dialect: "esperanto", SettleBase: 1}}}, "native"},
		"unsupported":   {Options{Scheduling: undertest.Options{Profile: undertest.Profile{Name: "x", SchedulerNames: []string{"x"}, Dialect: "native", SettleBase: 1, Unsupported: []string{"GANG-0001"}}}}, "GANG-001"},
		"known finding": {Options{Known: []fold.KnownFinding{{Scheduler: "x", Version: "*", Requirement: "GANG-1", Reason: "r"}}}, "GANG-001"},
		"out is a file": {Options{Out: filepath.Join(file, "out")}, "output directory"},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.o.Out == "" {
				tt.o.Out = filepath.Join(t.TempDir(), "out")
			}
			_, _, err := Run(t.Context(), tt.o)
			var wrong *UsageError
			if !errors.As(err, &wrong) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want a usage error that names %s", err, tt.want)
			}
			if _, err := os.Stat(tt.o.Out); err == nil {
				t.Error("the output directory was made")
			}
		})
	}
}

func TestPrepareOutput(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	got, err := prepareOutput(dir)
	if err != nil || got != dir {
		t.Fatalf("%s, %v", got, err)
	}
	entries, err := os.ReadDir(filepath.Join(dir, historyDir))
	if err != nil || len(entries) != 0 {
		t.Errorf("the probe was left: %v, %v", entries, err)
	}
	if err := os.WriteFile(filepath.Join(dir, reportFile), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := prepareOutput(dir); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("a directory with another run's results: %v", err)
	}
}

func TestOutputOfARunThatDidNotStartIsTidied(t *testing.T) {
	dir, err := prepareOutput(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	tidy(dir)
	if _, err := os.Stat(dir); err == nil {
		t.Error("empty directories were left")
	}
	if dir, err = prepareOutput(dir); err != nil {
		t.Fatal(err)
	}
	kept := filepath.Join(dir, historyDir, "main.jsonl")
	if err := os.WriteFile(kept, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	tidy(dir)
	if _, err := os.Stat(kept); err != nil {
		t.Error("a history was removed")
	}
	if got := freeName(dir); got != dir+"-2" {
		t.Errorf("free name beside %s: %s", dir, got)
	}
}

func TestProfileOf(t *testing.T) {
	p, err := profileOf(Options{Settle: 7 * time.Second, Scheduling: undertest.Options{Names: []string{"mine"}}})
	if err != nil {
		t.Fatal(err)
	}
	if p.Name != "kube-scheduler" || p.SchedulerNames[0] != "mine" || p.Settle(100) != 7*time.Second {
		t.Errorf("%+v", p)
	}
	if p, err := profileOf(Options{Scheduling: undertest.Options{Exec: "mine"}}); err != nil || p.Name == "kube-scheduler" {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestStoredNamesTheCorruptLine(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bad.jsonl")
	if err := os.WriteFile(file, []byte("{\"kind\":\"muster/history\",\"format\":1,\"storage\":\"single-etcd\",\"scheduler\":{\"name\":\"x\",\"schedulerNames\":[\"x\"],\"dialect\":\"native\",\"settleBase\":1}}\n{\"seq\":1,\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err := Stored([]string{file}, nil)
	var p *history.Problem
	if !errors.As(err, &p) || p.Line != 2 || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("got %v", err)
	}
}
