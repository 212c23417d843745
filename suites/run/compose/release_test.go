package compose

import (
	"strings"
	"testing"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/run"
	"muster/suites/run/plan"
)

// A record says whether its profiles were asked for by name: then one of which nothing can be said is no success, live
// and judged again.
func TestStoredProfilesByName(t *testing.T) {
	for named, want := range map[string]int{"true": 1, "false": 0, "": 1} {
		h := shard("main", "a")
		h.Header.MusterInfo = map[string]string{run.InfoExpected: "GANG-001", run.InfoProfiles: "gang", run.InfoNarrowed: "false"}
		if named != "" {
			h.Header.MusterInfo[run.InfoNamed] = named
		}
		in, _, err := Stored(judgeOf("a"), []*history.History{h})
		if err != nil || len(in.Profiles) != want {
			t.Errorf("named %q: profiles %v, %v", named, in.Profiles, err)
		}
	}
}

// Judged from the record alone, what is about the scheduler is not supported where none was run.
func TestStoredWithoutScheduler(t *testing.T) {
	h := shard("main", "a")
	h.Header.MusterInfo = map[string]string{
		run.InfoExpected: "GANG-001,INV-001", run.InfoProfiles: "gang", run.InfoNarrowed: "false", plan.InfoScheduler: plan.InfoNone,
	}
	in, _, err := Stored(judgeOf("a"), []*history.History{h})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range Report(in).Requirements {
		if q.Verdict != suites.NotSupported || q.Reason != plan.NoScheduler {
			t.Errorf("%s is %s: %s", q.ID, q.Verdict, q.Reason)
		}
	}
}

func TestReportOfAnotherRelease(t *testing.T) {
	for version, want := range map[string]string{
		"v1.37.2": "", "": "", "v1.38.0": "the API server is v1.38.0: 2 requirements describe Kubernetes 1.37",
	} {
		in := input()
		in.Expected = []suites.Requirement{{ID: "A-001", Release: "1.37"}, {ID: "A-002", Release: "1.37"}, {ID: "A-003"}}
		in.Provenance.Versions = map[string]string{"kube-apiserver": version}
		var notes []string
		for _, c := range Report(in).Provenance.Components {
			notes = append(notes, c.Notes...)
		}
		if got := strings.Join(notes, " "); !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("%q: %q, want %q", version, got, want)
		}
	}
}
