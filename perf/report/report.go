package report

import (
	"muster/perf/compare"
	"muster/perf/results"
	"muster/perf/scenario"
	"muster/reports/v1alpha1"
)

// Of is the report of a record.
func Of(r *results.Record) *v1alpha1.PerfReport {
	out := &v1alpha1.PerfReport{
		APIVersion: v1alpha1.APIVersion, Kind: v1alpha1.PerfKind,
		Summary: v1alpha1.PerfSummary{Lines: r.Lines, Planned: r.Planned, Made: len(r.Runs),
			Incomplete: r.Incomplete, Indicative: r.Indicative, Notes: r.Notes},
		Sides: []v1alpha1.PerfSide{}, Scenarios: []v1alpha1.PerfScenario{},
		Provenance: v1alpha1.PerfProvenance{
			Command: r.Command, Started: r.Began.UTC(), Seconds: r.Took.Seconds(), Seed: r.Seed, Kubernetes: r.Kubernetes, Muster: r.Muster,
			Machine: v1alpha1.Machine{CPUs: r.Machine.CPUs, CPU: r.Machine.CPU, MemoryBytes: r.Machine.Memory, Kernel: r.Machine.Kernel, Go: r.Machine.Go},
		},
	}
	if r.Lines == nil { // interrupted, before there was anything to say
		out.Summary.Lines = Lines(r)
	}
	if r.Gate != nil {
		out.Gate = gate(r.Gate)
	}
	for i := range r.Runs {
		if r.Runs[i].Valid() {
			out.Summary.Valid++
		}
	}
	for _, s := range r.Sides {
		out.Sides = append(out.Sides, v1alpha1.PerfSide{Name: s.Name, Kind: s.Kind, Version: s.Version, Revision: s.Revision, Path: s.Path, Exec: s.Exec,
			ClientQPS: s.Client.QPS, ClientBurst: s.Client.Burst, Unjudged: s.Unjudged})
	}
	for _, s := range r.Scenarios {
		out.Scenarios = append(out.Scenarios, of(r, s))
	}
	return out
}

// Lines are the figures of a record in one line a scenario: the median of every side; before them, what scenarios cost beside
// their twins, where both were run. Nil never: a record without scenarios has none.
func Lines(r *results.Record) []string {
	var sides []string
	for _, s := range r.Sides {
		sides = append(sides, s.Name)
	}
	out := append([]string{}, Twins(r)...)
	for _, s := range r.Scenarios {
		var all []compare.Run
		for i := range r.Runs {
			if r.Runs[i].Shape == s.Shape() {
				all = append(all, comparable(&r.Runs[i]))
			}
		}
		out = append(out, compare.Figures(s.Name, s.Nodes, s.Figure.Unit().Unit, all, sides))
	}
	return out
}

func of(r *results.Record, s *scenario.Sized) v1alpha1.PerfScenario {
	counts := s.Counts()
	unit := s.Figure.Unit()
	out := v1alpha1.PerfScenario{
		Name: s.Name, About: s.About, Upstream: s.Upstream, Differs: s.Differs, Nodes: s.Nodes, Scale: s.Scale,
		Pods: counts.Pods, Groups: counts.Groups, Figure: string(s.Figure), Unit: unit.Unit, HigherIsBetter: unit.HigherIsBetter,
		Results: []v1alpha1.PerfResult{}, Runs: []v1alpha1.PerfRun{},
	}
	var all []compare.Run
	for i := range r.Runs {
		if r.Runs[i].Shape == s.Shape() {
			all = append(all, comparable(&r.Runs[i]))
			out.Runs = append(out.Runs, run(&r.Runs[i]))
		}
	}
	for i, side := range r.Sides {
		res, ran := result(all, side.Name)
		if !ran {
			continue
		}
		out.Results = append(out.Results, res)
		for _, earlier := range r.Sides[:i] {
			if q, ok := ratio(all, earlier.Name, side.Name); ok {
				out.Ratios = append(out.Ratios, q)
			}
		}
	}
	return out
}

func comparable(r *results.Run) compare.Run {
	return compare.Run{Slot: compare.Slot{Side: r.Side, Block: r.Block, Half: r.Half}, Value: r.Figure.Value, Shape: r.Shape, Problems: r.Incomparable()}
}

func result(all []compare.Run, side string) (out v1alpha1.PerfResult, ran bool) {
	out.Side = side
	for _, c := range all {
		if c.Side != side {
			continue
		}
		out.Runs++
		if len(c.Problems) == 0 {
			out.Valid++
		}
	}
	if s, ok := compare.Summarise(all, side); ok {
		out.Median, out.Low, out.High, out.Confidence, out.CV = &s.Median, &s.Low, &s.High, &s.Confidence, &s.CV
	}
	return out, out.Runs > 0
}

// ratio of b to a; not ok where one of them has no figure.
func ratio(all []compare.Run, a, b string) (v1alpha1.PerfRatio, bool) {
	pairs, _ := compare.Pairs(all, a, b)
	out := v1alpha1.PerfRatio{Of: b, To: a, Pairs: len(pairs)}
	if e, err := compare.Paired(pairs, 0.05); err == nil {
		out.Ratio, out.Low, out.High, out.CV = e.Ratio, &e.Low, &e.High, &e.CV
		return out, true
	}
	x, okA := compare.Summarise(all, a)
	y, okB := compare.Summarise(all, b)
	if !okA || !okB {
		return out, false
	}
	out.Ratio = y.Median / x.Median
	return out, true
}

func run(r *results.Run) v1alpha1.PerfRun {
	out := v1alpha1.PerfRun{Side: r.Side, N: r.N, Block: r.Block, Half: r.Half, Began: r.Began.UTC(), Seconds: r.Took.Seconds(),
		Valid: r.Valid(), History: r.History, Incomplete: r.Incomplete}
	if r.Figure.Value > 0 {
		out.Figure = &r.Figure.Value
	}
	out.Problems, out.Labels = Remarks(r)
	if v := r.Verdicts; v != nil {
		out.Verdicts = &v1alpha1.PerfVerdicts{Passed: v.Passed, Failed: v.Failed, Known: v.Known, Warnings: v.Warnings, Inconclusive: v.Inconclusive}
	}
	if m := r.Result; m != nil {
		out.Values, out.Fairness = values(m), fairness(&m.Fairness)
		out.BindsPerSecond = m.Throughput.BySecond
	}
	return out
}
