package smoke

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestKilledRunLeavesNoChild: SIGKILL in the middle of a run, a second run beside it that must not notice.
func TestKilledRunLeavesNoChild(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(binary(t), "conformance", "--requirement", slice, "--out", filepath.Join(dir, "first"))
	cmd.Env = append(os.Environ(), "TMPDIR="+dir)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// Children carry the run directory in their arguments or environment; wait until there are some.
	await(t, "children of the run", func() bool { return len(processesNaming(dir)) > 3 })
	go func() { _, _ = io.Copy(io.Discard, bufio.NewReader(stderr)) }()

	beside := out(t)
	second := make(chan result, 1)
	go func() {
		second <- muster(t, "conformance", "--requirement", "BASIC-001", "--out", beside)
	}()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	await(t, "the children's end", func() bool { return len(processesNaming(dir)) == 0 })
	if r := <-second; r.code != 0 {
		t.Errorf("the run beside it exited %d\n%s\n%s", r.code, r.stdout, r.stderr)
	}
}

// TestUpStatusDown is a cluster by hand: it comes, kubectl's kubeconfig is private, it goes and leaves nothing.
func TestUpStatusDown(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("XDG_RUNTIME_DIR", dir)
	name := "smoke"
	r := muster(t, "up", "--name", name, "--nodes", "50", "--gpus", "8", "--nodes-per-rack", "16", "-o", "json").want(t, 0)
	var up struct {
		Kubeconfig string `json:"kubeconfig"`
	}
	if err := json.Unmarshal([]byte(r.stdout), &up); err != nil || up.Kubeconfig == "" {
		t.Fatalf("muster up -o json printed no kubeconfig (%v): %s", err, r.stdout)
	}
	info, err := os.Stat(up.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the kubeconfig's mode is %v, want 0600", info.Mode().Perm())
	}
	if s := muster(t, "status", "-o", "json").want(t, 0); !strings.Contains(s.stdout, name) {
		t.Errorf("status does not show the cluster: %s", s.stdout)
	}
	muster(t, "down", "--name", name).want(t, 0)
	await(t, "the cluster's end", func() bool { return len(processesNaming(dir)) == 0 })
	if _, err := os.Stat(up.Kubeconfig); !os.IsNotExist(err) {
		t.Errorf("%s is still there (%v)", up.Kubeconfig, err)
	}
}

// processesNaming are the processes, this one apart, whose arguments or environment name the directory.
func processesNaming(dir string) []string {
	var found []string
	procs, _ := filepath.Glob("/proc/[0-9]*")
	for _, p := range procs {
		if filepath.Base(p) == "self" || p == "/proc/"+strconv.Itoa(os.Getpid()) {
			continue
		}
		cmdline, _ := os.ReadFile(filepath.Join(p, "cmdline"))
		environ, _ := os.ReadFile(filepath.Join(p, "environ"))
		if strings.Contains(string(cmdline), dir) || strings.Contains(string(environ), "TMPDIR="+dir) {
			found = append(found, p+" "+strings.ReplaceAll(string(cmdline), "\x00", " "))
		}
	}
	return found
}

// await polls /proc, which nothing can watch.
func await(t *testing.T, what string, cond func() bool) {
	t.Helper()
	deadline := time.NewTimer(90 * time.Second)
	defer deadline.Stop()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for !cond() {
		select {
		case <-tick.C:
		case <-deadline.C:
			t.Fatalf("waited 90 s for %s", what)
		}
	}
}
