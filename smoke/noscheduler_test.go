package smoke

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestNoScheduler: the control plane alone is judged, whatever is about a scheduler is not supported, and the stored
// record says the same.
func TestNoScheduler(t *testing.T) {
	dir := out(t)
	r := muster(t, "conformance", "--scheduler", "none", "--profile", "builder", "--out", dir).want(t, 0)
	m := lastLine.FindStringSubmatch(r.last())
	if m == nil || m[1] == "0" || m[7] == "0" || m[5] != "0" || m[6] != "0" {
		t.Fatalf("passed, not supported, or inconclusive verdicts and errors: %s", r.last())
	}
	histories, err := filepath.Glob(filepath.Join(dir, "history", "*.jsonl"))
	if err != nil || len(histories) == 0 {
		t.Fatalf("no history in %s (%v)", dir, err)
	}
	again := muster(t, append([]string{"judge"}, histories...)...).want(t, 0)
	if got := lastLine.FindStringSubmatch(again.last()); got == nil || strings.Join(got[1:9], " ") != strings.Join(m[1:9], " ") {
		t.Errorf("judged again: %q, live: %q", again.last(), r.last())
	}
}

// TestNothingToJudge: a profile that was asked for by name and about which nothing can be said is no success.
func TestNothingToJudge(t *testing.T) {
	muster(t, "conformance", "--scheduler", "none", "--profile", "basic", "--out", out(t)).want(t, 3)
}
