package smoke

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// limit is how long one execution may take before it counts as hung.
const limit = 4 * time.Minute

type result struct {
	code           int
	stdout, stderr string
}

// last is the last line on stdout.
func (r result) last() string {
	lines := strings.Split(strings.TrimSpace(r.stdout), "\n")
	return lines[len(lines)-1]
}

func binary(t *testing.T) string {
	t.Helper()
	bin := os.Getenv("MUSTER_BIN")
	if bin == "" {
		t.Skip("MUSTER_BIN is not set: make test builds the binary and sets it")
	}
	return bin
}

// muster executes the binary and waits for it.
func muster(t *testing.T, args ...string) result {
	t.Helper()
	r := execute(binary(t), args...)
	if r.code < 0 {
		t.Fatalf("executing muster %s: %s", strings.Join(args, " "), r.stderr)
	}
	return r
}

// execute executes a binary and waits for it. A code below 0 says that it could not be, or did not end in time.
func execute(bin string, args ...string) result {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, bin, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	r := result{stdout: out.String(), stderr: errs.String()}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		r.code = exit.ExitCode()
	case err != nil:
		r.code, r.stderr = -1, err.Error()
	}
	return r
}

func (r result) want(t *testing.T, code int) result {
	t.Helper()
	if r.code != code {
		t.Fatalf("exit code %d, want %d\nstdout:\n%s\nstderr:\n%s", r.code, code, r.stdout, r.stderr)
	}
	return r
}

var lastLine = regexp.MustCompile(`^conformance: (\d+) passed, (\d+) failed, (\d+) known, (\d+) warnings, (\d+) inconclusive, (\d+) errors, (\d+) not supported, (\d+) skipped, (\d+) observed \((\d+) requirements, \d+ s\)$`)

// out is a fresh output directory.
func out(t *testing.T) string { return filepath.Join(t.TempDir(), "out") }
