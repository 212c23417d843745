package measure_test

import (
	"fmt"
	"time"

	"muster/perf/measure"
	"muster/suites/history"
	"muster/suites/history/historytest"
	"muster/workloads/dialect"
)

// A run of one gang, read back and measured.
func Example() {
	h := historytest.New().Nodes(1).Mark(measure.MarkMeasured).
		Gang("g", 2).Pods("g", 2).Wait(time.Second).Bind("g-0", "node-0").Bind("g-1", "node-0").History()
	native, err := dialect.Load("native")
	if err != nil {
		fmt.Println(err)
		return
	}
	v := history.NewView(h, native, history.Scope{Scenario: historytest.Scenario})
	r := measure.Of(measure.NewTape(h, v), measure.Options{Plan: measure.Plan{Pods: 2, Gangs: 1, Arrival: measure.OpenLoop}})
	fmt.Printf("%d pods, the gang ready after %v\n", r.Throughput.Bound, r.Gangs.QuorumBound.Median)
	for _, p := range r.Validity.Problems {
		fmt.Println(p.Kind)
	}
	// Output:
	// 2 pods, the gang ready after 1.002s
	// lag-unknown
}
