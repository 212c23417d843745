package check

import (
	"fmt"
	"testing"

	. "muster/suites/history/historytest"
)

// BenchmarkNoBindWhenInfeasible judges a run in which gangs of eight are created all at once and then bound one after the
// other until all nodes are half full. Sizes are those of performance runs; time per run is what the check adds to one.
func BenchmarkNoBindWhenInfeasible(b *testing.B) {
	for _, nodes := range []int{500, 2000} {
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) {
			story := New().Nodes(nodes, Has("gpu=8"))
			gangs := nodes / 2
			for g := range gangs {
				name := fmt.Sprint("g", g)
				story.Gang(name, 8).Pods(name, 8, Wants("gpu=1"))
			}
			for g := range gangs {
				for m := range 8 {
					story.Bind(fmt.Sprintf("g%d-%d", g, m), fmt.Sprint("node-", g*2+m%2))
				}
			}
			v := story.View()
			for b.Loop() {
				if got := verdicts(noBindWhenInfeasible.Func(v)); got != pass {
					b.Fatalf("the check says %q, want %q", got, pass)
				}
			}
			b.ReportMetric(float64(8*gangs), "pods")
		})
	}
}
