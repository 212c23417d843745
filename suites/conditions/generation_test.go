package conditions

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/history/historytest"
)

func TestGeneration(t *testing.T) {
	begun := func() *historytest.Builder { return pool(3).Gang("g", 4).Pods("g", 4, oneGPU) }
	refused := func() *historytest.Builder { return begun().Satisfied("g", "False", "Unschedulable").Mark("refused") }
	judge(t, "conditions-generation", []story{
		{name: "told again and then True", want: suites.Pass, h: refused().Quorum("g", 3).
			Satisfied("g", "False", "Unschedulable").Wait(3*time.Second).Satisfied("g", "True", "Scheduled").Mark("satisfied")},
		{name: "not told again, which is no fault", want: suites.Pass, h: refused().Quorum("g", 3).
			Wait(3*time.Second).Satisfied("g", "True", "Scheduled").Mark("satisfied")},
		{name: "told late about the old generation", want: suites.Pass, h: refused().Quorum("g", 3).
			SatisfiedAt("g", "False", "Unschedulable", 1).Wait(3*time.Second).Satisfied("g", "True", "Scheduled").Mark("satisfied")},
		{name: "True under the old generation", want: suites.Fail, h: refused().Quorum("g", 3).
			Wait(3*time.Second).SatisfiedAt("g", "True", "Scheduled", 1).Mark("satisfied")},
		{name: "no generation at all", want: suites.Fail, h: begun().SatisfiedAt("g", "False", "Unschedulable", 0).Mark("refused").
			Quorum("g", 3).Satisfied("g", "True", "Scheduled").Mark("satisfied")},
		{name: "a generation of the future", want: suites.Fail, h: begun().SatisfiedAt("g", "False", "Unschedulable", 2).Mark("refused").
			Quorum("g", 3).Satisfied("g", "True", "Scheduled").Mark("satisfied")},
		{name: "a generation that goes back", want: suites.Fail, h: refused().Quorum("g", 3).
			Satisfied("g", "False", "Unschedulable").SatisfiedAt("g", "False", "Unschedulable", 1).
			Satisfied("g", "True", "Scheduled").Mark("satisfied")},
		{name: "the transition time moves under False", want: suites.Fail, h: refused().Quorum("g", 3).
			Wait(3*time.Second).Satisfied("g", "False", "Unschedulable").
			Wait(3*time.Second).Satisfied("g", "True", "Scheduled").Mark("satisfied")},
		{name: "never True", want: suites.Inconclusive, h: refused().Quorum("g", 3).Mark("satisfied")},
		{name: "never False", want: suites.Inconclusive, h: begun().Mark("refused").Quorum("g", 3).
			Satisfied("g", "True", "Scheduled").Mark("satisfied")},
		{name: "minCount stays", want: suites.Inconclusive, h: refused().Wait(3*time.Second).
			Satisfied("g", "True", "Scheduled").Mark("satisfied")},
		{name: "no gang", want: suites.Inconclusive, h: pool(3).Mark("refused").Mark("satisfied")},
	})
}

// Where the API server gives groups no generation, a condition without one says the truth.
func TestGroupsWithoutGeneration(t *testing.T) {
	stamp := history.Stamp{Seq: 1, Order: 1}
	g := &history.Gang{Satisfied: []history.At[history.Condition]{{Stamp: stamp, Value: history.Condition{Status: isTrue}}}}
	if got := wrongGenerations(g, stamp); len(got) != 0 {
		t.Errorf("blamed without reason: %v", got)
	}
	g.Generation = []history.At[int64]{{Stamp: stamp, Value: 1}}
	if got := wrongGenerations(g, stamp); len(got) == 0 {
		t.Error("a condition without generation on a group that has one is not blamed")
	}
}

func TestTransitionTimeDoesNotGoBack(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	g := &history.Gang{Satisfied: []history.At[history.Condition]{
		{Stamp: history.Stamp{Seq: 1, Order: 1}, Value: history.Condition{Status: isFalse, LastTransition: now}},
		{Stamp: history.Stamp{Seq: 2, Order: 2}, Value: history.Condition{Status: isTrue, LastTransition: now.Add(-time.Second)}},
	}}
	if got := wrongTransitions(g); len(got) != 1 || got[0].Stamp.Seq != 2 {
		t.Errorf("wrong transitions %v, want the second", got)
	}
}

// Whoever writes conditions as apimachinery's SetStatusCondition does, at whatever generation, is never blamed; and
// moving the time of any condition that keeps its status always is.
func TestTransitionTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clock := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		g := &history.Gang{}
		var kept []int // indices of conditions whose status is that of the one before
		for i, status := range rapid.SliceOfN(rapid.SampledFrom([]string{isTrue, isFalse, "Unknown"}), 1, 8).Draw(t, "statuses") {
			clock = clock.Add(time.Duration(rapid.IntRange(0, 30).Draw(t, "seconds")) * time.Second)
			is := history.Condition{Status: status, LastTransition: clock}
			if i > 0 && g.Satisfied[i-1].Value.Status == status {
				is.LastTransition = g.Satisfied[i-1].Value.LastTransition
				kept = append(kept, i)
			}
			stamp := history.Stamp{Seq: int64(i + 1), Order: int64(i + 1)}
			g.Satisfied = append(g.Satisfied, history.At[history.Condition]{Stamp: stamp, Value: is})
		}
		if got := wrongTransitions(g); len(got) > 0 {
			t.Fatalf("blamed without reason: %v", got)
		}
		if len(kept) == 0 {
			return
		}
		i := rapid.SampledFrom(kept).Draw(t, "moved")
		spoiled := &history.Gang{Satisfied: slices.Clone(g.Satisfied)}
		spoiled.Satisfied[i].Value.LastTransition = spoiled.Satisfied[i].Value.LastTransition.Add(time.Second)
		if got := wrongTransitions(spoiled); len(got) == 0 {
			t.Fatalf("condition %d of %v moved its time and was not blamed", i, spoiled.Satisfied)
		}
	})
}
