package topology

import (
	"fmt"
	"testing"

	"muster/suites/history/historytest"
	"muster/suites/kit/kittest"
)

// metricTale is a gang in one of three racks, and what is served before and after it.
func metricTale(racked bool, members int, before, after map[string]float64) *historytest.Builder {
	b := taken(cluster(3, 2, 1), 0, 0)
	if before != nil {
		b.Metrics(readFirst, before)
	}
	if racked {
		b.Gang("g", 2, inRacks)
	} else {
		b.Gang("g", 2)
	}
	b.Pods("g", 2, worker)
	for i := range members {
		bind(b, "g", i, 2+i)
	}
	if after != nil {
		b.Metrics(readBound, after)
	}
	return b
}

// placements is what kube-scheduler serves about them.
func placements(generated, feasible, infeasible float64) map[string]float64 {
	m := map[string]float64{generatedPlacements + `{profile="p"}`: generated}
	for result, n := range map[string]float64{"feasible": feasible, "infeasible": infeasible} {
		if n > 0 {
			m[fmt.Sprintf(`%s{profile="p",result=%q}`, placementResults, result)] = n
		}
	}
	return m
}

func metricStories() []story {
	none, some := map[string]float64{}, placements(5, 4, 0)
	return []story{
		{"topology-metrics", "counted", metricTale(true, 2, some, placements(8, 6, 1)), verdicts{"TAS-042": seen}},
		{"topology-metrics", "not served", metricTale(true, 2, none, none), verdicts{"TAS-042": seen}},
		{"topology-metrics", "not bound", metricTale(true, 1, some, some), verdicts{"TAS-042": unclear}},
		{"topology-metrics", "no rack demanded", metricTale(false, 2, some, some), verdicts{"TAS-042": unclear}},
		{"topology-metrics", "nobody read before", metricTale(true, 2, nil, some), verdicts{"TAS-042": unclear}},
		{"topology-metrics", "nobody read after", metricTale(true, 2, some, nil), verdicts{"TAS-042": unclear}},
		{"topology-metrics", "the scheduler began anew", metricTale(true, 2, some, placements(3, 2, 1)), verdicts{"TAS-042": unclear}},
	}
}

func TestWhatIsCountedOfPlacements(t *testing.T) {
	for want, b := range map[string]*historytest.Builder{
		"generated: 3; evaluated: 2 feasible, 1 infeasible":    metricTale(true, 2, placements(5, 4, 0), placements(8, 6, 1)),
		"generated: none; evaluated: none":                     metricTale(true, 2, placements(5, 4, 0), placements(5, 4, 0)),
		"generated: no such series; evaluated: no such series": metricTale(true, 2, map[string]float64{}, map[string]float64{}),
	} {
		if _, findings := kittest.Judge(t, "topology-metrics", b.View()); len(findings) != 1 || findings[0].Value != want {
			t.Errorf("observed %+v, want %q", findings, want)
		}
	}
}
