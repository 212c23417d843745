package devices

import (
	"testing"

	"muster/suites/history/historytest"
	"muster/suites/kit/kittest"
)

// metricTale is a claim made for a gang and one for a pod, or not, and what the controller manager serves before and after.
func metricTale(forGang, forPod bool, before, after map[string]float64) *historytest.Builder {
	b := historytest.New().Nodes(1)
	if before != nil {
		b.Metrics(readFirst, before)
	}
	b.Gang("g", 3).Pods("g", 3, historytest.UsesTemplate("link", "link")).Pod("alone", "", historytest.UsesTemplate("link", "link"))
	if forGang {
		b.GangClaim("g", "link", "g-link")
		for _, p := range []string{"g-0", "g-1", "g-2"} {
			b.PodHasClaim(p, "link", "g-link")
		}
	}
	if forPod {
		b.PodClaim("alone", "link", "alone-link")
	}
	if after != nil {
		b.Metrics(readMade, after)
	}
	return b
}

// madeFor is what the controller manager serves about the claims it has made.
func madeFor(groups, pods float64) map[string]float64 {
	labels := func(group, kind string) string {
		return claimsMade + `{admin_access="false",owner_api_group="` + group + `",owner_api_kind="` + kind + `",status="success"}`
	}
	return map[string]float64{labels("scheduling.k8s.io", "PodGroup"): groups, labels("", "Pod"): pods}
}

func metricStories() []story {
	const id = "DRA-057"
	none, few, more := map[string]float64{}, madeFor(3, 4), madeFor(4, 5)
	return []story{
		{"devices-metrics", "counted", metricTale(true, true, few, more), verdicts{id: seen}},
		{"devices-metrics", "counted from nothing", metricTale(true, true, none, madeFor(1, 1)), verdicts{id: seen}},
		{"devices-metrics", "not served", metricTale(true, true, none, none), verdicts{id: seen}},
		{"devices-metrics", "no claim for the gang", metricTale(false, true, few, more), verdicts{id: unclear}},
		{"devices-metrics", "no claim for the pod", metricTale(true, false, few, more), verdicts{id: unclear}},
		{"devices-metrics", "nobody read before", metricTale(true, true, nil, more), verdicts{id: unclear}},
		{"devices-metrics", "nobody read after", metricTale(true, true, few, nil), verdicts{id: unclear}},
		{"devices-metrics", "the controller manager began anew", metricTale(true, true, more, few), verdicts{id: unclear}},
	}
}

func TestWhatIsCountedOfClaims(t *testing.T) {
	_, findings := kittest.Judge(t, "devices-metrics", metricTale(true, true, madeFor(3, 4), madeFor(4, 5)).View())
	if want := "by owner: 1 Pod, 1 PodGroup; by outcome: 2 success"; len(findings) != 1 || findings[0].Value != want {
		t.Errorf("observed %+v, want %q", findings, want)
	}
}
