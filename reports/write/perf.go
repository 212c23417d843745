package write

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"muster/reports/v1alpha1"
)

// PerfYAML writes a performance report as YAML, in the order of the type's fields.
func PerfYAML(w io.Writer, r *v1alpha1.PerfReport) error {
	var asJSON bytes.Buffer
	enc := json.NewEncoder(&asJSON)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return fmt.Errorf("encoding performance report: %w", err)
	}
	data, err := ordered(asJSON.Bytes())
	if err != nil {
		return fmt.Errorf("encoding performance report: %w", err)
	}
	if _, err := w.Write(data); err != nil {
		return fmt.Errorf("writing performance report: %w", err)
	}
	return nil
}

// perfData is what perf-dash reads, and what scheduler_perf writes: version v1.
type perfData struct {
	Version   string     `json:"version"`
	DataItems []perfItem `json:"dataItems"`
}

type perfItem struct {
	Data   map[string]float64 `json:"data"`
	Unit   string             `json:"unit"`
	Labels map[string]string  `json:"labels"`
}

// dashUnits are the units perf-dash draws axes for, where they differ from ours.
var dashUnits = map[string]string{"sec": "s", "ratio": "", "B": "B"}

// PerfData writes the valid runs as perf-dash's PerfData: one item for each scenario, side and value, with how it is
// spread over the runs. Labels say which: Name, Nodes, Side, Metric.
func PerfData(w io.Writer, r *v1alpha1.PerfReport) error {
	out := perfData{Version: "v1", DataItems: []perfItem{}}
	for _, s := range r.Scenarios {
		for _, side := range s.Results {
			for _, m := range Gather(s, side.Side) {
				unit, differs := dashUnits[m.Unit]
				if !differs {
					unit = m.Unit
				}
				out.DataItems = append(out.DataItems, perfItem{
					Data: map[string]float64{"Average": mean(m.Values), "Perc50": Middle(m.Values), "Min": m.Values[0], "Max": m.Values[len(m.Values)-1]},
					Unit: unit,
					Labels: map[string]string{"Name": s.Name, "Nodes": fmt.Sprint(s.Nodes), "Side": side.Side, "Metric": m.Name,
						"Runs": fmt.Sprint(len(m.Values))},
				})
			}
		}
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	if err := enc.Encode(out); err != nil {
		return fmt.Errorf("writing perf-dash data: %w", err)
	}
	return nil
}

// Measure is one value over the valid runs of a side, sorted.
type Measure struct {
	v1alpha1.PerfValue
	Values []float64
}

// Gather is what the valid runs of a side measured, in the order of the first run that has it.
func Gather(s v1alpha1.PerfScenario, side string) []Measure {
	var out []Measure
	at := map[string]int{}
	for _, run := range s.Runs {
		if run.Side != side || !run.Valid {
			continue
		}
		for _, v := range run.Values {
			i, ok := at[v.Name]
			if !ok {
				i = len(out)
				at[v.Name] = i
				out = append(out, Measure{PerfValue: v})
			}
			out[i].Values = append(out[i].Values, v.Value)
		}
	}
	for i := range out {
		slices.Sort(out[i].Values)
	}
	return out
}

// Middle of sorted values, of which there is at least one.
func Middle(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
