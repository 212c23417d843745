package smoke

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// slice is a part of the core that takes half a minute and touches quorum, atomicity, late groups and conditions.
const slice = "GANG-001,GANG-002,GANG-003,GANG-010,BASIC-001,COND-001"

func TestStockSchedulerPassesTheSlice(t *testing.T) {
	dir := out(t)
	r := muster(t, "conformance", "--scheduler", "kube-scheduler", "--requirement", slice, "--out", dir).want(t, 0)
	m := lastLine.FindStringSubmatch(r.last())
	if m == nil {
		t.Fatalf("the last line is not the one promised: %q", r.last())
	}
	if m[2] != "0" || m[5] != "0" || m[6] != "0" {
		t.Errorf("failures, inconclusive verdicts or errors on stock: %s", r.last())
	}

	histories, err := filepath.Glob(filepath.Join(dir, "history", "*.jsonl"))
	if err != nil || len(histories) == 0 {
		t.Fatalf("no history in %s (%v)", dir, err)
	}
	again := muster(t, append([]string{"judge"}, histories...)...).want(t, 0)
	if got := lastLine.FindStringSubmatch(again.last()); got == nil || got[1] != m[1] || got[9] != m[9] {
		t.Errorf("judged again: %q, live: %q", again.last(), r.last())
	}
}

// TestGroupBlindSchedulerFails is the negative control: the stock scheduler without gang scheduling.
func TestGroupBlindSchedulerFails(t *testing.T) {
	muster(t, "conformance", "--scheduler", "kube-scheduler", "--scheduler-gates", "GenericWorkload=false",
		"--requirement", slice, "--out", out(t)).want(t, 1)
}

// TestIdleSchedulerFails: ready, and binds nothing but the canary.
func TestIdleSchedulerFails(t *testing.T) {
	binary(t)
	idle := filepath.Join(t.TempDir(), "canaryonly")
	if b, err := exec.Command("go", "build", "-o", idle, "./canaryonly").CombinedOutput(); err != nil {
		t.Fatalf("building canaryonly: %v\n%s", err, b)
	}
	muster(t, "conformance", "--scheduler-exec", idle+" --kubeconfig {{.Kubeconfig}}",
		"--requirement", slice, "--out", out(t)).want(t, 1)
}

// TestMissingSchedulerIsNotAVerdict: a command that ends at once is a harness error, not a failed scheduler.
func TestMissingSchedulerIsNotAVerdict(t *testing.T) {
	muster(t, "conformance", "--scheduler-exec", "/bin/false", "--requirement", "BASIC-001", "--out", out(t)).want(t, 3)
}
