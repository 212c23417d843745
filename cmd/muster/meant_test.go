package main

import "testing"

func TestMeant(t *testing.T) {
	verbs := []string{"completion", "conformance", "down", "help", "judge", "list", "perf", "prove", "record", "report", "scheduler", "status", "up", "version"}
	for name, want := range map[string]string{
		"conf": "conformance", "conformence": "conformance", "jugde": "judge", "JUDGE": "judge", "lst": "list",
		"proove": "prove", "stat": "status", "downn": "down", "repotr": "report", "reprot": "report", "sched": "scheduler",
		"re": "", "c": "", "run": "", "x": "", "benchmark": "", "test": "", "": "", "zap": "", "us": "",
	} {
		if got := meant(name, verbs); got != want {
			t.Errorf("meant(%q) = %q, want %q", name, got, want)
		}
	}
}
