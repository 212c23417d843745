package report

import (
	"fmt"
	"strings"

	"muster/perf/compare"
	"muster/perf/results"
	"muster/perf/scenario"
)

// Twins are the ratios of scenarios to their twins, one line a pair of which both were run in the same size: what the one
// thing costs in which they differ. It is the twin's figure of both, since that is the one that both have.
//
//	infeasible-gang/feasible-gangs nodes=500 gang-ready-sec kube-scheduler=2.31 reference=1.04
func Twins(r *results.Record) []string {
	var out []string
	for i, s := range r.Scenarios {
		for j, twin := range r.Scenarios {
			if s.Twin != twin.Name || s.Nodes != twin.Nodes || s.Scale != twin.Scale || twin.Twin == s.Name && j < i {
				continue
			}
			line := fmt.Sprintf("%s/%s nodes=%d %s", s.Name, twin.Name, s.Nodes, twin.Figure.Unit().Unit)
			for _, side := range r.Sides {
				line += " " + side.Name + "=" + twinRatio(r, s, twin, side.Name)
			}
			out = append(out, line)
		}
	}
	return out
}

// twinRatio is that of the medians of a side's runs of both; n/a where it has none of one of them.
func twinRatio(r *results.Record, s, twin *scenario.Sized, side string) string {
	var medians [2]float64
	for i, shape := range []string{s.Shape(), twin.Shape()} {
		var runs []compare.Run
		for _, run := range r.Of(shape, side) {
			c := comparable(run)
			if run.Result != nil {
				c.Value = twin.Figure.Of(run.Result).Value
			}
			runs = append(runs, c)
		}
		m, ok := compare.Summarise(runs, side)
		if !ok {
			return "n/a"
		}
		medians[i] = m.Median
	}
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.3f", medians[0]/medians[1]), "0"), ".")
}
