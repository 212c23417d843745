package sample

import (
	"time"

	"muster/reports/v1alpha1"
)

func ptr[T any](v T) *T { return &v }

// Perf is a performance report in which every field is set somewhere.
func Perf() *v1alpha1.PerfReport {
	began := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	good := func(side string, n int, figure float64) v1alpha1.PerfRun {
		return v1alpha1.PerfRun{
			Side: side, N: n, Block: (n - 1) / 2, Half: (n - 1) % 2, Began: began.Add(time.Duration(n) * time.Minute), Seconds: 31.5, Valid: true,
			Figure: &figure, History: "history/gangs-of-8-500-" + side + ".jsonl",
			Values: []v1alpha1.PerfValue{
				{Name: "pods/s", Unit: "pods/s", Value: figure, HigherIsBetter: true},
				{Name: "of-ceiling", Unit: "ratio", Value: figure / 400, HigherIsBetter: true},
				{Name: "gang-ready-sec", Unit: "sec", Value: 12 / figure},
				{Name: "partial-at-rest", Unit: "ratio", Value: 0},
				{Name: "partial-in-flight", Unit: "ratio", Value: 0.35},
				{Name: "partial-longest-sec", Unit: "sec", Value: 0.25},
				{Name: "scheduler-cpu-sec", Unit: "sec", Value: 3.25},
				{Name: "scheduler-peak-B", Unit: "B", Value: 123 << 20},
				{Name: "calls/pod", Unit: "calls", Value: 1.125},
			},
			BindsPerSecond: []int{0, 40, int(figure), int(figure), 0, 12},
			Fairness: &v1alpha1.PerfFairness{
				ThrottledSeconds: ptr(0.0), ServerLatencySeconds: ptr(0.0021), ClientLatencySeconds: ptr(0.0035), Offered: ptr(50.0),
				Achieved: 49.5, WebhookCalls: 1, Cores: map[string]float64{"kube-apiserver": 0.9, "muster": 0.1, "scheduler": 0.5}, OwnShare: ptr(0.067),
				WatchLag: v1alpha1.PerfSpread{Count: 600, Median: 0.002, Max: 0.09, P90: ptr(0.01), P99: ptr(0.04)}, LagSource: "probe",
			},
			Verdicts: &v1alpha1.PerfVerdicts{Passed: 11, Warnings: 1},
		}
	}
	bound := good("reference", 2, 300)
	bound.Labels = []v1alpha1.PerfProblem{{Kind: "api-bound", Message: "at 95 % of the ceiling the API server is the limit"}}
	broken := good("kube-scheduler", 2, 80)
	broken.Valid, broken.Incomplete, broken.Block = false, true, 1
	broken.Problems = []v1alpha1.PerfProblem{{Kind: "violations", Message: "the checks found 1 violations | in this very run"}}
	broken.Verdicts = &v1alpha1.PerfVerdicts{Passed: 10, Failed: 1, Known: 1, Inconclusive: 2}
	return &v1alpha1.PerfReport{
		APIVersion: v1alpha1.APIVersion, Kind: v1alpha1.PerfKind,
		Summary: v1alpha1.PerfSummary{
			Lines:   []string{"gangs-of-8 nodes=500 a=75 pods/s b=300 pods/s ceiling=400 pods/s a/ceiling=0.188 b/ceiling=0.75 b/a=4"},
			Planned: 6, Made: 5, Valid: 4, Incomplete: true, Indicative: true,
			Notes: []string{"gangs-of-8: 1 block was spoilt by invalid runs, and not made again: no block came out whole"},
		},
		Gate: &v1alpha1.PerfGate{
			Scenario: "gangs-of-8", Figure: "throughput", Base: "kube-scheduler", Head: "reference", Outcome: "undecidable",
			Reason: "only 3 pairs of runs where a gate needs 12", Alpha: 0.01, Loss: 0.1, Tolerance: 0.02,
			Effect: &v1alpha1.PerfEffect{Ratio: 0.97, Low: 0.91, High: 1.03, Pairs: 3, P: 0.12, Detectable: 0.11, Drift: 1.01,
				CVBase: 0.02, CVHead: 0.03, CV: 0.025},
			BaseOfCeiling: ptr(0.62), HeadOfCeiling: ptr(0.61),
			Dropped: []string{"block 2: kube-scheduler's run is invalid: the checks found 1 violations"},
		},
		Sides: []v1alpha1.PerfSide{
			{Name: "kube-scheduler", Kind: "kube-scheduler", Version: "v1.37.2", Revision: "0123456789ab", ClientQPS: 5000, ClientBurst: 10000},
			{Name: "reference", Kind: "reference", Version: "fedcba987654", Revision: "fedcba987654", Path: "./new/muster", ClientQPS: 5000, ClientBurst: 10000},
			{Name: "ceiling", Kind: "ceiling", Version: "0123456789ab", Revision: "0123456789ab", ClientQPS: 5000, ClientBurst: 10000, Unjudged: true},
			{Name: "ours", Kind: "exec", Exec: "./scheduler --kubeconfig {{.Kubeconfig}}", ClientQPS: -1},
		},
		Scenarios: []v1alpha1.PerfScenario{{
			Name: "gangs-of-8", About: "Gangs of eight.", Upstream: "GangScheduling/500Nodes", Differs: "nodes have GPUs",
			Nodes: 500, Scale: 0.5, Pods: 2000, Groups: 250, Figure: "throughput", Unit: "pods/s", HigherIsBetter: true,
			Results: []v1alpha1.PerfResult{
				{Side: "kube-scheduler", Runs: 2, Valid: 1, Median: ptr(75.0), Low: ptr(75.0), High: ptr(75.0), Confidence: ptr(0.0), CV: ptr(0.0)},
				{Side: "reference", Runs: 2, Valid: 2, Median: ptr(300.0), Low: ptr(290.5), High: ptr(310.25), Confidence: ptr(0.5), CV: ptr(0.046)},
				{Side: "ceiling", Runs: 1, Valid: 1, Median: ptr(400.0), Low: ptr(400.0), High: ptr(400.0), Confidence: ptr(0.95), CV: ptr(0.0)},
				{Side: "ours", Runs: 0},
			},
			Ratios: []v1alpha1.PerfRatio{
				{Of: "reference", To: "kube-scheduler", Ratio: 4, Pairs: 1},
				{Of: "ceiling", To: "reference", Ratio: 1.33, Low: ptr(1.3), High: ptr(1.36), Pairs: 3, CV: ptr(0.02)},
			},
			Runs: []v1alpha1.PerfRun{good("kube-scheduler", 1, 75), good("reference", 1, 310), good("ceiling", 1, 400), bound, broken},
		}},
		Provenance: v1alpha1.PerfProvenance{
			Command: "muster perf compare --scenario=gangs-of-8 --nodes=500", Started: began, Seconds: 190.25, Seed: 7, Kubernetes: "v1.37.2", Muster: "0123456789ab",
			Machine: v1alpha1.Machine{CPUs: 2, CPU: "Example CPU", MemoryBytes: 24 << 30, Kernel: "6.12", Go: "go1.26.8"},
		},
	}
}
