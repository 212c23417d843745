package report

import (
	"muster/perf/results"
	"muster/reports/v1alpha1"
)

// gate is a verdict as it is published. Its numbers are there where there were runs enough for an effect.
func gate(g *results.Gate) *v1alpha1.PerfGate {
	v := g.Verdict
	out := &v1alpha1.PerfGate{
		Scenario: g.Scenario, Figure: g.Figure, Base: g.Base, Head: g.Head, Outcome: string(v.Outcome), Reason: v.Reason,
		Alpha: g.Alpha, Loss: g.Loss, Tolerance: g.Tolerance, Dropped: v.Dropped,
	}
	if v.OfCeilingA > 0 {
		out.BaseOfCeiling = &v.OfCeilingA
	}
	if v.OfCeilingB > 0 {
		out.HeadOfCeiling = &v.OfCeilingB
	}
	if e := v.Effect; e.Ratio > 0 {
		out.Effect = &v1alpha1.PerfEffect{Ratio: e.Ratio, Low: e.Low, High: e.High, Pairs: e.N, P: v.P, Detectable: v.Detectable,
			Drift: e.Drift, CVBase: e.CVA, CVHead: e.CVB, CV: e.CV}
	}
	return out
}
