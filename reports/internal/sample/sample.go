// Package sample holds one report that uses every field, for the golden tests of the report packages.
package sample

import (
	"time"

	"muster/reports/v1alpha1"
	"muster/suites"
)

// Report is a run in which everything that can happen to a requirement happened to one.
func Report() *v1alpha1.ConformanceReport {
	counts := v1alpha1.Counts{Passed: 1, Failed: 1, Known: 1, Warnings: 1, Inconclusive: 1, Errors: 1, NotSupported: 1, Skipped: 1, Observed: 1}
	ids := []string{"BASIC-001", "BASIC-004", "COND-001", "GANG-001", "GANG-002", "GANG-003", "GANG-005", "GANG-019", "INV-001"}
	return &v1alpha1.ConformanceReport{
		APIVersion: v1alpha1.APIVersion,
		Kind:       v1alpha1.Kind,
		Subject: v1alpha1.Subject{
			Scheduler: "acme-scheduler", Version: "v0.4.0", SchedulerNames: []string{"acme"}, Dialect: "native",
			Organization: "Acme | Research", Project: "acme-scheduler", URL: "https://example.org/acme", Contact: "sig@example.org",
			Unsupported: []string{"GANG-019"},
		},
		Summary: v1alpha1.Summary{
			Line:     "conformance: 1 passed, 1 failed, 1 known, 1 warnings, 1 inconclusive, 1 errors, 1 not supported, 1 skipped, 1 observed (9 requirements, 74 s)",
			ExitCode: 1, Reason: "GANG-003 gates", Incomplete: true, Narrowed: true, Counts: counts,
		},
		Profiles: []v1alpha1.Profile{
			{Name: "basic", Core: 1, CoreExecuted: 1, CorePassed: 1, Conformant: true, Counts: v1alpha1.Counts{Passed: 1, Observed: 1}},
			{Name: "conditions", Core: 1, Counts: v1alpha1.Counts{Errors: 1}},
			{Name: "gang", Core: 4, CoreExecuted: 2, Counts: v1alpha1.Counts{Failed: 1, Warnings: 1, Inconclusive: 1, NotSupported: 1, Skipped: 1}},
			{Name: "invariants", Counts: v1alpha1.Counts{Known: 1}},
		},
		Expected:     v1alpha1.Set{Digest: "sha256:" + zeros, IDs: ids},
		Executed:     v1alpha1.Set{Digest: "sha256:" + zeros, IDs: ids[:7]},
		Requirements: requirements(),
		Scenarios: []v1alpha1.Scenario{
			{Name: "basic-trickle", Profile: "basic", Status: "Executed", Verdict: suites.Pass, Shard: "main.jsonl", Seconds: 3.2},
			{Name: "gang-one-short", Profile: "gang", Status: "Executed", Verdict: suites.Fail, Shard: "main.jsonl", Seconds: 31},
			{Name: "gang-gated", Profile: "gang", Status: "NotSupported", Verdict: suites.NotSupported, Reason: "the scheduler profile declares GANG-019 unsupported"},
		},
		Provenance: provenance(),
	}
}

const zeros = "0000000000000000000000000000000000000000000000000000000000000000"

func requirements() []v1alpha1.Requirement {
	quote := []suites.Source{{Kind: "kep", Ref: "KEP-4671", URL: "https://example.org/kep", Quote: "all or nothing"}}
	r := func(id, profile, title string, l suites.Level, v suites.Verdict, reason string) v1alpha1.Requirement {
		return v1alpha1.Requirement{
			ID: id, Profile: profile, Title: title, Text: "The scheduler does what " + id + " says.", Level: l,
			Maturity: suites.Beta, Core: l == suites.Must, Gates: []string{"GenericWorkload"}, Sources: quote, Verdict: v, Reason: reason,
			Scenarios: []v1alpha1.ScenarioVerdict{{Name: "gang-one-short", Verdict: v}},
			Findings:  []v1alpha1.Finding{{Scenario: "gang-one-short", Verdict: v, Message: reason, Objects: []string{"pod a/b"}, Seq: 712}},
		}
	}
	may := r("BASIC-004", "basic", "retry of the rest", suites.May, suites.Observed, "rest bound later")
	may.Value, may.Findings[0].Value = "back-off retry, 9.8 s", "back-off retry, 9.8 s"
	fails := r("GANG-003", "gang", "all or nothing", suites.Must, suites.Fail, "3 of 4 members <bound> | at rest\x00")
	fails.Gating = true
	fails.Partial, fails.Share = true, "1 of 2 scenarios"
	known := r("INV-001", "invariants", "no partial placement", suites.Must, suites.Fail, "1 of 2 bound")
	known.Known, known.Findings[0].Check, known.Core = "https://example.org/issue/1", "NoPartialAtRest", false
	return []v1alpha1.Requirement{
		r("BASIC-001", "basic", "members as they come", suites.Must, suites.Pass, "4 bound"),
		may,
		r("COND-001", "conditions", "condition says unschedulable", suites.Must, suites.Error, "the driver could not create pod b"),
		r("GANG-001", "gang", "waits for the quorum", suites.Must, suites.Inconclusive, "watch gap on pods"),
		r("GANG-002", "gang", "binds at the quorum", suites.Should, suites.Fail, "took 40 s"),
		fails,
		r("GANG-005", "gang", "more than the quorum", suites.Must, suites.Skipped, "interrupted before its turn"),
		r("GANG-019", "gang", "gate removed", suites.Must, suites.NotSupported, "the scheduler profile declares GANG-019 unsupported"),
		known,
	}
}

func provenance() v1alpha1.Provenance {
	return v1alpha1.Provenance{
		Muster:  v1alpha1.Muster{Version: "v0.1.0", Revision: "0123456789ab", Modified: true, Go: "go1.26"},
		Started: time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC), Seconds: 74.2, Seed: 42,
		Host:     v1alpha1.Host{OS: "linux", Arch: "amd64", Cores: 2, MemoryBytes: 8 << 30},
		Versions: map[string]string{"kube-apiserver": "v1.37.2", "etcd": "3.7.3"},
		Components: []v1alpha1.Component{{
			Name: "kube-scheduler", Gates: map[string]bool{"GenericWorkload": false, "CompositePodGroup": false},
			Notes: []string{"CompositePodGroup is off because it needs GenericWorkload, which is off"},
		}},
		Pools:        []v1alpha1.Pool{{Scenario: "gang-one-short", Name: "p", Count: 3, CPU: "64", Memory: "512Gi", GPUs: 8, Extended: map[string]string{"example.com/nic": "1"}}},
		Backdrop:     &v1alpha1.Backdrop{Nodes: 5000, Devices: 40000, Model: "h100", VisibleSeconds: 9.5, MemoryBytes: 3 << 30},
		Options:      map[string]string{"parallel": "24", "profile": "gang,basic,conditions"},
		ReadySeconds: 1.4, CanaryMilliseconds: 12.5,
	}
}
