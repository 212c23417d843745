package history

import "encoding/json"

// Metrics are the series that a process was read to serve under the label (see ParseSeries), with their values, and where
// in the record that was: last, if the label was used more than once. ok is false where it never was.
func (v *View) Metrics(label string) (series map[string]float64, at Stamp, ok bool) {
	for _, a := range v.Actions {
		if a.Value.Verb != VerbMetrics || a.Value.Name != label || a.Value.Action == nil {
			continue
		}
		var read map[string]float64
		if err := json.Unmarshal(a.Value.Action.Response.Object, &read); err != nil || read == nil {
			continue
		}
		series, at, ok = read, a.Stamp, true
	}
	return series, at, ok
}
