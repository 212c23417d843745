package write

import (
	"strings"
	"testing"

	"muster/reports/v1alpha1"
)

// A knee is seen where the phases stand one below the other; without phases there is no table.
func TestPhasesOneBelowTheOther(t *testing.T) {
	value := func(name, unit string, v float64) v1alpha1.PerfValue {
		return v1alpha1.PerfValue{Name: name, Unit: unit, Value: v}
	}
	run := func(side string, slow float64) v1alpha1.PerfRun {
		return v1alpha1.PerfRun{Side: side, Valid: true, Values: []v1alpha1.PerfValue{
			value("gang-ready-sec", "sec", 9),
			value("rate-20:pods/s", "pods/s", 19.9), value("rate-20:gang-ready-sec", "sec", 0.25), value("rate-20:gang-ready-max-sec", "sec", 0.5),
			value("rate-40:gang-ready-sec", "sec", slow),
		}}
	}
	s := v1alpha1.PerfScenario{
		Results: []v1alpha1.PerfResult{{Side: "a"}, {Side: "b"}},
		Runs:    []v1alpha1.PerfRun{run("a", 7), run("b", 0.3), run("b", 0.5)},
	}
	var b strings.Builder
	perfPhases(&b, s)
	want := `| phase | side | gang ready | at most | pods/s |
|---|---|---:|---:|---:|
| rate-20 | a | 0.25 s | 0.5 s | 19.9 |
| rate-20 | b | 0.25 s | 0.5 s | 19.9 |
| rate-40 | a | 7 s |  |  |
| rate-40 | b | 0.4 s |  |  |

`
	if b.String() != want {
		t.Errorf("%s", b.String())
	}
	b.Reset()
	s.Runs = []v1alpha1.PerfRun{{Side: "a", Valid: true, Values: []v1alpha1.PerfValue{value("pods/s", "pods/s", 5)}}}
	if perfPhases(&b, s); b.Len() > 0 {
		t.Errorf("%s", b.String())
	}
}
