package job

import (
	"testing"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/history/historytest"
)

func TestDoubled(t *testing.T) {
	tell := func(group string, pods int) *historytest.Builder {
		b := historytest.New().Try("create doubled", "create", "jobs", "doubled", history.Response{Code: 201, UID: "uid-of-doubled"}).Gang("g", 2)
		for _, name := range []string{"a", "b"}[:pods] {
			b.Pod(name, group, made{name: "doubled"}.pod)
		}
		return b.Mark("resumed")
	}
	judged(t, "job-two-workloads", []story{
		{"ungrouped", tell("", 2), "JOB-021", suites.Observed},
		{"grouped", tell("g", 2), "JOB-021", suites.Observed},
		{"stuck", tell("g", 0), "JOB-021", suites.Observed},
	})
	for pods, want := range map[int]string{2: "2 pods made, 0 of them in a group", 0: "0 pods made, 0 of them in a group"} {
		if f := judgeDoubled(tell("", pods).View()); f[0].Value != want {
			t.Errorf("%q, want %q", f[0].Value, want)
		}
	}
}
