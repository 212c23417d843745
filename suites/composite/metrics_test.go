package composite

import (
	"testing"

	"muster/suites/history/historytest"
	"muster/suites/kit/kittest"
)

// metricTale is a gang in one of two racks, then a tree in one, with what is served at first, after the gang and after the
// tree; nil: nobody read.
func metricTale(racked bool, leaves, bound int, read ...map[string]float64) *historytest.Builder {
	b := cluster(2, 4)
	look := func(i int, label string) {
		if read[i] != nil {
			b.Metrics(label, read[i])
		}
	}
	look(0, readFirst)
	bind(b.Gang("g", 2, inRacks).Pods("g", 2, worker), "g", 0, 1)
	look(1, readGang)
	if racked {
		b.Composite("tree", 2, inRacks)
	} else {
		b.Composite("tree", 2)
	}
	gangs(b, "tree", []string{"a", "b"}[:leaves]...)
	for i, gang := range []string{"a", "b"}[:bound] {
		bind(b, gang, 4+2*i, 5+2*i)
	}
	look(2, readTree)
	return b
}

// told is what kube-scheduler serves about placements and attempts.
func told(generated, feasible, scheduled float64) map[string]float64 {
	return map[string]float64{
		generatedPlacements + `{profile="p"}`: generated, placementResults + `{profile="p",result="feasible"}`: feasible,
		groupAttempts + `{profile="p",result="scheduled"}`: scheduled,
	}
}

func metricStories() []story {
	none, one, two, three := map[string]float64{}, told(1, 1, 1), told(3, 3, 2), told(3, 3, 3)
	return []story{
		{"composite-metrics", "counted", metricTale(true, 2, 2, one, two, three), verdicts{"CPG-055": seen}},
		{"composite-metrics", "not served", metricTale(true, 2, 2, none, none, none), verdicts{"CPG-055": seen}},
		{"composite-metrics", "the tree is not bound", metricTale(true, 2, 1, one, two, three), verdicts{"CPG-055": unclear}},
		{"composite-metrics", "half a tree", metricTale(true, 1, 1, one, two, three), verdicts{"CPG-055": unclear}},
		{"composite-metrics", "no rack demanded", metricTale(false, 2, 2, one, two, three), verdicts{"CPG-055": unclear}},
		{"composite-metrics", "nobody read at first", metricTale(true, 2, 2, nil, two, three), verdicts{"CPG-055": unclear}},
		{"composite-metrics", "nobody read in the end", metricTale(true, 2, 2, one, two, nil), verdicts{"CPG-055": unclear}},
		{"composite-metrics", "the scheduler began anew", metricTale(true, 2, 2, three, two, one), verdicts{"CPG-055": unclear}},
	}
}

func TestWhatIsCountedOfTrees(t *testing.T) {
	want := "for a gang placements generated: 2, evaluated: 2 feasible, attempts: 1 scheduled; for a composite of two placements generated: none, evaluated: none, attempts: 1 scheduled"
	_, findings := kittest.Judge(t, "composite-metrics", metricTale(true, 2, 2, told(1, 1, 1), told(3, 3, 2), told(3, 3, 3)).View())
	if len(findings) != 1 || findings[0].Value != want {
		t.Errorf("observed %+v, want %q", findings, want)
	}
}
