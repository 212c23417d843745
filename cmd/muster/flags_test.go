package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// execute runs the command line and gives its error. Only command lines that are refused belong here.
func execute(args ...string) error {
	root := newRootCommand()
	root.SetArgs(args)
	return root.Execute()
}

func TestRefusedFlags(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	for line, want := range map[string]string{
		"conformance --scheduler-exec=":    "--scheduler-exec is given without a value",
		"conformance --profile=":           "--profile is given without a value",
		"conformance --scheduler=":         "--scheduler is given without a value",
		"conformance --scheduler-name=":    "--scheduler-name is given without a value",
		"conformance --scheduler-profile=": "--scheduler-profile is given without a value",
		"conformance --known-findings=":    "--known-findings is given without a value",
		"conformance --requirement=":       "--requirement is given without a value",
		"conformance --scenario=,":         "--scenario is given without a value",
		"conformance --out=":               "--out is given without a value",
		"conformance --settle=0s":          "--settle 0s",
		"conformance --settle=999ms":       "--settle 999ms",
		"conformance --settle=-1h":         "--settle -1h",
		"conformance --settle=24h1s":       "at most 24h",
		"conformance --settle=soon":        "a duration such as 30s",
		"conformance --parallel=0":         "--parallel 0",
		"conformance --ready-timeout=0s":   "--ready-timeout 0s",
		"conformance --ready-timeout=-1s":  "--ready-timeout -1s",
		"up --scheduler-exec=":             "--scheduler-exec is given without a value",
		"up --nodes=abc":                   `--nodes "abc": it wants a whole number`,
		"up --nodes=99999999999999999999":  "not as big",
		"up --nodes=99999999999":           "GiB of memory",
		"up --keep=perhaps":                "true or false",
		"up --ready-timeout=0s":            "ready timeout",
		"status --name=":                   "--name is given without a value",
		"down --name=":                     "--name is given without a value",
		"down --name=x --all":              "exclude each other",
	} {
		err := execute(strings.Fields(line)...)
		if err == nil || codeOf(err) != exitUsage || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "strconv") {
			t.Errorf("muster %s: %v (exit code %d), want exit code 2 and a word about %q", line, err, codeOf(err), want)
		}
	}
}

func TestNowhereToRunIsSaidFirst(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "nowhere"))
	for _, args := range [][]string{{"conformance", "--out", out}, {"up"}} {
		if err := execute(args...); codeOf(err) != exitUsage || !strings.Contains(err.Error(), "TMPDIR") {
			t.Errorf("%q: %v, want exit code 2 and TMPDIR named", args, err)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("the output directory was made")
	}
}

func TestHangupInterruptsUnlessIgnored(t *testing.T) {
	if signal.Ignored(syscall.SIGHUP) {
		t.Skip("the tests run under nohup")
	}
	if !slices.Contains(interrupts(), os.Signal(syscall.SIGHUP)) {
		t.Error("a hangup kills the command")
	}
	signal.Ignore(syscall.SIGHUP)
	defer signal.Reset(syscall.SIGHUP)
	if slices.Contains(interrupts(), os.Signal(syscall.SIGHUP)) {
		t.Error("nohup is of no use")
	}
}

func TestClosedOutput(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{nil, false},
		{syscall.EPIPE, false}, // a connection's, perhaps
		{fmt.Errorf("printing: %w", &fs.PathError{Op: "write", Path: os.Stdout.Name(), Err: syscall.EPIPE}), true},
		{&fs.PathError{Op: "write", Path: os.Stdout.Name(), Err: syscall.ENOSPC}, false},
		{errors.New("other"), false},
	} {
		if got := outputClosed(c.err); got != c.want {
			t.Errorf("%v: %t", c.err, got)
		}
	}
}
