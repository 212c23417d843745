package smoke

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
)

// interruptible starts a run with a TMPDIR of its own and returns when its control plane is on the way, with what reads
// its stderr.
func interruptible(t *testing.T, args ...string) (cmd *exec.Cmd, tmp, out string, stderr io.ReadCloser) {
	t.Helper()
	tmp, out = t.TempDir(), filepath.Join(t.TempDir(), "out")
	cmd = exec.Command(binary(t), append([]string{"conformance", "--out", out}, args...)...)
	cmd.Env = append(os.Environ(), "TMPDIR="+tmp)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReaderSize(stderr, 16).ReadString('\n'); err != nil {
		t.Fatalf("the run said nothing: %v", err)
	}
	await(t, "children of the run", func() bool { return len(processesNaming(tmp)) > 2 })
	return cmd, tmp, out, stderr
}

// leftNothing checks that a run has reported and cleaned up.
func leftNothing(t *testing.T, tmp, out string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(out, "report.yaml")); err != nil {
		t.Errorf("no report: %v", err)
	}
	if entries, err := os.ReadDir(tmp); err != nil || len(entries) > 0 {
		t.Errorf("left in TMPDIR: %v, %v", entries, err)
	}
	if left := processesNaming(tmp); len(left) > 0 {
		t.Errorf("processes left: %v", left)
	}
}

// TestHangupReportsAndCleansUp: the terminal is closed in the middle of a run.
func TestHangupReportsAndCleansUp(t *testing.T) {
	if signal.Ignored(syscall.SIGHUP) {
		t.Skip("the tests were started with SIGHUP ignored (nohup), and so is what they start: muster keeps to that")
	}
	cmd, tmp, out, stderr := interruptible(t)
	go func() { _, _ = io.Copy(io.Discard, stderr) }()
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Errorf("it ended with %v, want exit code 130", err)
	}
	leftNothing(t, tmp, out)
}

// TestClosedStderrReportsAndCleansUp: muster conformance 2>&1 | head -1.
func TestClosedStderrReportsAndCleansUp(t *testing.T) {
	cmd, tmp, out, stderr := interruptible(t, "--requirement", "BASIC-001")
	_ = stderr.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("it ended with %v; that nobody reads the progress is no verdict", err)
	}
	leftNothing(t, tmp, out)
}
