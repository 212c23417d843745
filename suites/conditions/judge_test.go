package conditions

import (
	"testing"
	"time"

	"muster/suites"
	"muster/suites/history/historytest"
)

// A story is told by hand and judged by a scenario's judge.
type story struct {
	name string
	h    *historytest.Builder
	want suites.Verdict
	// value of the observed finding, for a MAY.
	value string
}

func judge(t *testing.T, scenario string, stories []story) {
	t.Helper()
	s, ok := suites.ScenarioByName(scenario)
	if !ok {
		t.Fatalf("no scenario %s is registered", scenario)
	}
	for _, st := range stories {
		t.Run(st.name, func(t *testing.T) {
			findings := s.Judge(st.h.View())
			if len(findings) != 1 || findings[0].Requirement != s.Requirements[0] {
				t.Fatalf("findings %+v, want one on %v", findings, s.Requirements)
			}
			if f := findings[0]; f.Verdict != st.want || f.Value != st.value {
				t.Errorf("%s %q (%s), want %s %q", f.Verdict, f.Value, f.Message, st.want, st.value)
			}
		})
	}
}

var oneGPU = historytest.Wants("cpu=1", "nvidia.com/gpu=1")

// pool is n nodes with one GPU each.
func pool(n int) *historytest.Builder {
	return historytest.New().Nodes(n, historytest.Has("nvidia.com/gpu=1"))
}

func TestSatisfied(t *testing.T) {
	bound := func() *historytest.Builder {
		return pool(2).Gang("g", 2).Pods("g", 2, oneGPU).Bind("g-0", "node-0").Bind("g-1", "node-1")
	}
	judge(t, "conditions-satisfied", []story{
		{name: "True, whatever the reason", want: suites.Pass, h: bound().Satisfied("g", "True", "Whatever").Mark("bound and said so")},
		{name: "still False", want: suites.Fail, h: bound().Satisfied("g", "False", "Unschedulable").Mark("bound and said so")},
		{name: "Unknown", want: suites.Fail, h: bound().Satisfied("g", "Unknown", "Scheduled").Mark("bound and said so")},
		{name: "silence", want: suites.Fail, h: bound().Mark("bound and said so")},
		{name: "nothing was bound", want: suites.Inconclusive, h: pool(2).Gang("g", 2).Pods("g", 2, oneGPU).Mark("bound and said so")},
		{name: "cut short", want: suites.Inconclusive, h: bound()},
	})
}

func TestNoRoom(t *testing.T) {
	short := func() *historytest.Builder { return pool(2).Mark("short by one").Gang("g", 3).Pods("g", 3, oneGPU) }
	judge(t, "conditions-no-room", []story{
		{name: "False, Unschedulable", want: suites.Pass, h: short().Satisfied("g", "False", "Unschedulable").Mark("refused")},
		{name: "an error at first that passes", want: suites.Pass, h: short().Satisfied("g", "False", "SchedulerError").
			Satisfied("g", "False", "Unschedulable").Mark("refused")},
		{name: "another reason", want: suites.Fail, h: short().Satisfied("g", "False", "SchedulerError").Mark("refused")},
		{name: "True", want: suites.Fail, h: short().Satisfied("g", "True", "Scheduled").Mark("refused")},
		{name: "silence after the settle bound", want: suites.Fail, h: short().Wait(time.Minute).Mark("refused")},
		{name: "there is room after all", want: suites.Inconclusive, h: pool(3).Mark("short by one").Gang("g", 3).Pods("g", 3, oneGPU).
			Satisfied("g", "False", "Unschedulable").Mark("refused")},
		{name: "the quorum is smaller", want: suites.Inconclusive, h: pool(2).Mark("short by one").Gang("g", 2).Pods("g", 3, oneGPU).
			Satisfied("g", "True", "Scheduled").Mark("refused")},
	})
}

func TestUnparsableAffinity(t *testing.T) {
	odd := func(n int) *historytest.Builder { return pool(n).Mark("room").Gang("g", 2).Pods("g", 2, oneGPU) }
	judge(t, "conditions-unparsable-affinity", []story{
		{name: "False, SchedulerError", want: suites.Pass, h: odd(4).Satisfied("g", "False", "SchedulerError").Mark("answered")},
		{name: "blamed on the room", want: suites.Fail, h: odd(4).Satisfied("g", "False", "Unschedulable").Mark("answered")},
		{name: "bound all the same", want: suites.Fail, h: odd(4).Bind("g-0", "node-0").Bind("g-1", "node-1").
			Satisfied("g", "True", "Scheduled").Mark("answered")},
		{name: "silence", want: suites.Fail, h: odd(4).Mark("answered")},
		{name: "no room", want: suites.Inconclusive, h: odd(1).Satisfied("g", "False", "SchedulerError").Mark("answered")},
	})
}

func TestTrueForEver(t *testing.T) {
	const settled = 16 * time.Second // 10 s × √1 + 5 s
	begun := func() *historytest.Builder {
		return pool(3).Gang("g", 3).Pods("g", 3, oneGPU).
			Bind("g-0", "node-0").Bind("g-1", "node-1").Bind("g-2", "node-2").
			Satisfied("g", "True", "Scheduled").Mark("satisfied").
			Pods("g", 1, oneGPU).Reject("g-3").Mark("one too many")
	}
	fell := func(b *historytest.Builder) *historytest.Builder {
		return b.Gone("g-0", "g-1").Mark("below the quorum")
	}
	judge(t, "conditions-true-for-ever", []story{
		{name: "it stays", want: suites.Pass, h: fell(begun()).Hold("quiet", settled).Mark("watched")},
		{name: "it is written again", want: suites.Pass, h: fell(begun()).Satisfied("g", "True", "Again").Hold("quiet", settled).Mark("watched")},
		{name: "False for the leftover", want: suites.Fail, h: fell(begun().Satisfied("g", "False", "Unschedulable").
			Satisfied("g", "True", "Scheduled")).Hold("quiet", settled).Mark("watched")},
		{name: "False below the quorum", want: suites.Fail, h: fell(begun()).Satisfied("g", "False", "Unschedulable").
			Hold("quiet", settled).Mark("watched")},
		{name: "taken back", want: suites.Fail, h: fell(begun()).Unsaid("g").Hold("quiet", settled).Mark("watched")},
		{name: "never True", want: suites.Inconclusive, h: pool(3).Gang("g", 3).Pods("g", 3, oneGPU).Mark("satisfied").
			Mark("below the quorum").Hold("quiet", settled).Mark("watched")},
		{name: "the quorum is still met", want: suites.Inconclusive, h: begun().Mark("below the quorum").Hold("quiet", settled).Mark("watched")},
		{name: "not watched for long enough", want: suites.Inconclusive, h: fell(begun()).Hold("quiet", time.Second).Mark("watched")},
	})
}

func TestWhileWaiting(t *testing.T) {
	const settled = 20 * time.Second // 10 s × √2 + 5 s
	begun := func() *historytest.Builder {
		return pool(4).Gang("short", 2).Pods("short", 1, oneGPU).
			Gang("gated", 2).Pods("gated", 2, oneGPU, historytest.Gated).Mark("both wait")
	}
	judge(t, "conditions-while-waiting", []story{
		{name: "silence", want: suites.Observed, value: "below the quorum: no condition; gated: no condition",
			h: begun().Hold("quiet", settled).Mark("watched")},
		{name: "words", want: suites.Observed, value: "below the quorum: False (Waiting); gated: False (SchedulingGated)",
			h: begun().Satisfied("short", "False", "Waiting").Satisfied("gated", "False", "SchedulingGated").
				Hold("quiet", settled).Mark("watched")},
		{name: "cut short", want: suites.Inconclusive, h: begun()},
	})
}

func TestLeftoversRetried(t *testing.T) {
	tried := func(said func(*historytest.Builder)) *historytest.Builder {
		h := pool(2).Gang("g00", 1).Gang("g01", 1)
		said(h)
		return h.Mark("all satisfied").Mark("retries").Wait(time.Minute).Mark("watched")
	}
	judge(t, "conditions-leftovers-retried", []story{
		{name: "True for ever", want: suites.Pass, h: tried(func(h *historytest.Builder) {
			h.Satisfied("g00", "True", "Scheduled").Satisfied("g01", "True", "Scheduled")
		})},
		{name: "one was never True", want: suites.Pass, h: tried(func(h *historytest.Builder) {
			h.Satisfied("g00", "True", "Scheduled").Satisfied("g01", "False", "Unschedulable")
		})},
		{name: "one was taken back", want: suites.Fail, h: tried(func(h *historytest.Builder) {
			h.Satisfied("g00", "True", "Scheduled").Satisfied("g01", "True", "Scheduled").Satisfied("g01", "False", "Unschedulable")
		})},
		{name: "none was True", want: suites.Inconclusive, h: tried(func(h *historytest.Builder) {})},
		{name: "cut short", want: suites.Inconclusive, h: pool(2).Gang("g00", 1).Satisfied("g00", "True", "Scheduled").Mark("all satisfied")},
	})
}
