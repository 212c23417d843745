package compare_test

import (
	"fmt"

	"muster/perf/compare"
)

// Two schedulers in turns, of which the second needs a tenth more time.
func ExampleGate() {
	var runs []compare.Run
	for i, slot := range compare.Interleave(12, "old", "new") {
		seconds := 10 + 0.1*float64(i%3)
		if slot.Side == "new" {
			seconds *= 1.1
		}
		runs = append(runs, compare.Run{Slot: slot, Value: seconds, Shape: "gangs-of-8 nodes=500 scale=1"})
	}
	v := compare.Gate(runs, "old", "new", compare.Options{LowerIsBetter: true})
	fmt.Println(v.Outcome, v.Outcome.ExitCode())
	// Output: regression 4
}
