package report

import (
	"fmt"
	"io"

	"muster/perf/compare"
	"muster/reports/v1alpha1"
)

// Bench writes the valid runs in the Go benchmark format, one line a run, for benchstat:
//
//	benchstat -col side perf.txt
//
// The primary figure is among the values. Invalid runs are no measurements and are left out.
func Bench(w io.Writer, r *v1alpha1.PerfReport) error {
	config := map[string]string{"seed": fmt.Sprint(r.Provenance.Seed)}
	for k, v := range map[string]string{"kubernetes": r.Provenance.Kubernetes, "muster": r.Provenance.Muster, "cpu": r.Provenance.Machine.CPU} {
		if v != "" {
			config[k] = v
		}
	}
	var records []compare.Record
	for _, s := range r.Scenarios {
		for _, run := range s.Runs {
			if !run.Valid {
				continue
			}
			rec := compare.Record{Side: run.Side, Scenario: s.Name, Nodes: s.Nodes, Config: config}
			for _, v := range run.Values {
				rec.Values = append(rec.Values, compare.Value{Unit: v.Name, V: v.Value, HigherIsBetter: v.HigherIsBetter})
			}
			records = append(records, rec)
		}
	}
	return compare.WriteBench(w, records)
}
