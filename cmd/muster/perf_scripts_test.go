package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"muster/perf/scenario"
)

// standIn is an executable that says its arguments, leaves a report with so many valid runs in --out, and ends with a code.
func standIn(t *testing.T, valid, code int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "muster")
	script := fmt.Sprintf(`#!/usr/bin/env bash
echo "$@"
while [ $# -gt 0 ]; do
  if [ "$1" = --out ]; then mkdir -p "$2"; printf 'summary:\n  valid: %d\nscenarios:\n  - runs:\n      - valid: true\n' > "$2/perf.yaml"; fi
  shift
done
exit %d
`, valid, code)
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// script runs one of hack's scripts with a stand-in for muster: what it printed, and its exit code.
func script(t *testing.T, bin, name string, args ...string) (out string, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", append([]string{filepath.Join("..", "..", "hack", name)}, args...)...)
	cmd.Env = append(os.Environ(), "BIN="+bin, "OUT="+filepath.Join(t.TempDir(), "out"), "PERF_GATE=", "PERF_SCHEDULERS=", "GITHUB_ACTIONS=")
	raw, err := cmd.Output()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	return string(raw), cmd.ProcessState.ExitCode()
}

// A regression and what cannot be decided are two things to whoever calls the gate, and by default it is no throughput that is
// tested: on that load it would be the API server's.
func TestTheGatesScriptTellsOutcomesApart(t *testing.T) {
	for _, code := range []int{exitOK, exitViolations, exitInconclusive, exitRegression} {
		out, got := script(t, standIn(t, 1, code), "perf-gate.sh", "old", "new", "--runs", "14")
		want := "perf gate --base old --head new --scenario gangs-of-8 --nodes 500 --figure solve --runs 14\n"
		if got != code || out != want {
			t.Errorf("exit code %d: %s; want %d: %s", got, out, code, want)
		}
	}
	if _, code := script(t, standIn(t, 1, 0), "perf-gate.sh", "old"); code != exitUsage {
		t.Errorf("without a head: exit code %d", code)
	}
}

// A night in which one side has no valid run of one scenario is no failure; one in which there is none at all, or in which rules
// were broken, is.
func TestTheNightlyScriptSaysWhatIsAFailure(t *testing.T) {
	for _, tc := range []struct{ valid, code, want int }{
		{9, exitOK, exitOK}, {9, exitInconclusive, exitOK}, {0, exitInconclusive, exitInconclusive}, {9, exitViolations, exitViolations},
		{9, exitUsage, exitUsage}, {9, exitInterrupted, exitInterrupted},
	} {
		out, got := script(t, standIn(t, tc.valid, tc.code), "perf-nightly.sh", "--indicative")
		if got != tc.want || !strings.HasPrefix(out, "perf run --scheduler kube-scheduler,ceiling,reference ") {
			t.Errorf("%d valid runs and exit code %d: %d; want %d\n%s", tc.valid, tc.code, got, tc.want, out)
		}
		_, list, _ := strings.Cut(out, "--scenario ")
		for _, name := range strings.Split(strings.Fields(list)[0], ",") {
			if _, err := scenario.Named(name); err != nil {
				t.Error(err)
			}
		}
	}
}
