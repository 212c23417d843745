package v1alpha1

// PerfGate is whether one side is slower than another, decided by one figure of one scenario.
type PerfGate struct {
	Scenario string `json:"scenario"`
	Figure   string `json:"figure"`
	// Base is the side that Head was held against, or "stored baseline".
	Base string `json:"base"`
	Head string `json:"head"`
	// Outcome is pass, regression or undecidable; Reason says why, with the numbers.
	Outcome string `json:"outcome"`
	Reason  string `json:"reason"`
	// Alpha is the false-alarm rate for equal sides, Loss what the gate was there to see, Tolerance what was accepted: 0…1.
	Alpha     float64 `json:"alpha"`
	Loss      float64 `json:"loss"`
	Tolerance float64 `json:"tolerance"`
	// Effect is what was measured; absent where there were too few runs.
	Effect *PerfEffect `json:"effect,omitempty"`
	// BaseOfCeiling and HeadOfCeiling are the sides' throughputs as shares of the ceiling's, where throughput was tested.
	BaseOfCeiling *float64 `json:"baseOfCeiling,omitempty"`
	HeadOfCeiling *float64 `json:"headOfCeiling,omitempty"`
	// Dropped blocks of runs, and why.
	Dropped []string `json:"dropped,omitempty"`
}

// PerfEffect is by what factor the head of a gate differs from its base.
type PerfEffect struct {
	// Ratio of head to base; Low and High are its interval at 1 − alpha, from Pairs pairs of runs (of a stored baseline: runs
	// on the smaller side).
	Ratio float64 `json:"ratio"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Pairs int     `json:"pairs"`
	// P of the one-sided test against "head is not worse than base".
	P float64 `json:"p"`
	// Detectable is the smallest loss that would have been seen, 0…1.
	Detectable float64 `json:"detectable"`
	// Drift is the factor by which the second run of a pair differed for being second; it is taken out of Ratio.
	Drift float64 `json:"drift"`
	// CVBase and CVHead are the sides' coefficients of variation, CV that of the ratios.
	CVBase float64 `json:"cvBase"`
	CVHead float64 `json:"cvHead"`
	CV     float64 `json:"cv"`
}
