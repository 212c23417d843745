package results

import "muster/perf/compare"

// StoredBaseline stands for the base of a gate that had none to run.
const StoredBaseline = "stored baseline"

// Gate is what muster perf gate decided of a record.
type Gate struct {
	Scenario string `json:"scenario"`
	// Figure that was tested, by name.
	Figure string `json:"figure"`
	// Base and Head are the sides, A and B of the verdict; Base may be StoredBaseline.
	Base string `json:"base"`
	Head string `json:"head"`
	// Alpha is the false-alarm rate that was allowed, Loss what the gate was there to see, Tolerance what was accepted.
	Alpha     float64 `json:"alpha"`
	Loss      float64 `json:"loss"`
	Tolerance float64 `json:"tolerance"`
	compare.Verdict
}
