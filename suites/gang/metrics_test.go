package gang

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"muster/suites/history/historytest"
	"muster/suites/kit/kittest"
)

const counted = "gang-metrics"

// counts are series as kube-scheduler serves them.
type counts map[string]float64

// and adds to what was served before.
func (c counts) and(more counts) counts {
	out := maps.Clone(c)
	maps.Copy(out, more)
	return out
}

// metricTale is the story of the four gangs, with what the scheduler serves at each reading; from which step on it is told
// otherwise is the scenario's own affair.
type metricTale struct {
	fits, preempts, full, completed bool
	victims                         int
	read                            []counts // in the order of the readings
}

func goodMetricTale() metricTale {
	attempts := func(result string, n float64) counts {
		return counts{fmt.Sprintf(`%s{profile="p",result=%q}`, groupAttempts, result): n}
	}
	first := attempts("scheduled", 7).and(counts{permitWait + `_sum{result="Success"}`: 1, permitWait + `_count{result="Success"}`: 4,
		pendingPods + `{queue="active"}`: 0, preemptionVictims + "_count": 0, preemptionVictims + "_sum": 0, podPreemptions + "_count": 3, podPreemptions + "_sum": 5})
	fits := first.and(attempts("scheduled", 8))
	short := fits.and(counts{pendingPods + `{queue="gated"}`: 2})
	absent := short.and(counts{pendingPods + `{queue="incomplete"}`: 1})
	preempted := absent.and(attempts("waiting_on_preemption", 1)).and(attempts("scheduled", 9)).and(counts{
		preemptionAttempts + `{result="Success"}`: 1, preemptionVictims + "_count": 1, preemptionVictims + "_sum": 2, workloadDisruptions + `_count{preemptor="podgroup"}`: 1,
		workloadDisruptions + `_sum{preemptor="podgroup"}`: 1})
	full := preempted.and(attempts("unschedulable", 1)).and(counts{pendingPods + `{queue="unschedulable"}`: 2})
	complete := full.and(counts{permitWait + `_sum{result="Success"}`: 1.25, permitWait + `_count{result="Success"}`: 7})
	return metricTale{fits: true, preempts: true, completed: true, victims: 2, read: []counts{first, fits, short, absent, preempted, full, complete}}
}

func (s metricTale) tell() *historytest.Builder {
	b := historytest.New().Nodes(8, historytest.Has("nvidia.com/gpu=1"))
	read := func(i int, label string) {
		if i < len(s.read) && s.read[i] != nil {
			b.Metrics(label, s.read[i])
		}
	}
	low, high := historytest.Priority(10), historytest.Priority(1000)
	b.Gang("victim", 2, historytest.GangPriority(10), historytest.Together)
	held := []string{"node-2", "node-3"}
	for i, node := range held {
		b.Pod(fmt.Sprint("victim-", i), "victim", worker, low, historytest.Placed(node))
	}
	read(0, readFirst)
	b.Gang("fits", 2).Pods("fits", 2, worker)
	if s.fits {
		bind(b, 0, "fits-0", "fits-1")
	}
	read(1, readFits)
	b.Gang("short", 3).Pods("short", 2, worker)
	read(2, readShort)
	b.Pod("absent", "absent", worker)
	read(3, readAbsent)
	b.Gang("preempts", 2, historytest.GangPriority(1000)).Pods("preempts", 2, worker, high)
	for i := range s.victims {
		b.Evict(fmt.Sprint("victim-", i)).Gone(fmt.Sprint("victim-", i))
	}
	if s.preempts {
		bind(b, 2, "preempts-0", "preempts-1")
	}
	read(4, readPreempted)
	// One place is left for the gang without room: the others are taken.
	for i := 5; i < 8; i++ {
		b.Pod(fmt.Sprint("taken-", i), "", worker, high, historytest.Placed(fmt.Sprint("node-", i)))
	}
	b.Gang("full", 2).Pods("full", 2, worker)
	if s.full {
		b.Gone("taken-5").Bind("full-0", "node-4").Bind("full-1", "node-5")
	}
	read(5, readNoRoom)
	b.Wait(2*time.Second).Pod("short-2", "short", worker)
	if s.completed && !s.full {
		b.Gone("taken-5", "taken-6", "taken-7")
		bind(b, 5, "short-0", "short-1", "short-2")
	}
	read(6, readComplete)
	return b
}

func metricStories() []story {
	all := verdicts{"GANG-071": seen, "GANG-072": seen, "GANG-073": seen, "GANG-074": seen}
	but := func(change func(*metricTale)) *historytest.Builder {
		s := goodMetricTale()
		change(&s)
		return s.tell()
	}
	return []story{
		{counted, "all is counted", goodMetricTale().tell(), all},
		{counted, "nothing is served", but(func(s *metricTale) { s.read = slices.Repeat([]counts{{}}, 7) }), all},
		{counted, "nobody read", but(func(s *metricTale) { s.read = nil }), verdicts{"GANG-071": unclear, "GANG-072": unclear, "GANG-073": unclear, "GANG-074": unclear}},
		{counted, "the scheduler began anew", but(func(s *metricTale) { s.read[4] = counts{groupAttempts + `{profile="p",result="scheduled"}`: 1} }),
			verdicts{"GANG-071": unclear, "GANG-074": seen}},
		{counted, "what fits is not bound", but(func(s *metricTale) { s.fits = false }), verdicts{"GANG-071": unclear, "GANG-072": seen, "GANG-073": seen}},
		{counted, "nobody is preempted", but(func(s *metricTale) { s.victims, s.preempts = 0, false }), verdicts{"GANG-071": seen, "GANG-073": unclear}},
		{counted, "one victim stays", but(func(s *metricTale) { s.victims, s.preempts = 1, false }), verdicts{"GANG-073": unclear}},
		{counted, "there was room", but(func(s *metricTale) { s.full = true }), verdicts{"GANG-071": unclear, "GANG-072": unclear, "GANG-073": seen}},
		{counted, "the complete gang waits", but(func(s *metricTale) { s.completed = false }), verdicts{"GANG-071": seen, "GANG-074": unclear}},
	}
}

// The values are what people read.
func TestWhatIsCountedOfGangs(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*metricTale)
		want   []string
	}{
		{"all", func(*metricTale) {}, []string{
			"fits: 1 scheduled; short of a member: none; preempts: 1 scheduled, 1 waiting_on_preemption; no room: 1 unschedulable",
			"short of a member: 2 gated; without a group: 1 incomplete; no room: 2 unschedulable",
			"attempts: 1 Success; victims: 2 in 1; units: 1 in 1; victims as of a single pod: none",
			"two members waited 2 s for the third; waits at Permit: 3 Success of 0.2 s together",
		}},
		{"others go", func(s *metricTale) { s.read[2] = s.read[2].and(counts{pendingPods + `{queue="active"}`: 3}) }, []string{
			"fits: 1 scheduled; short of a member: none; preempts: 1 scheduled, 1 waiting_on_preemption; no room: 1 unschedulable",
			"short of a member: 3 active, 2 gated; without a group: 1 incomplete (and pods of others went); no room: 2 unschedulable",
			"attempts: 1 Success; victims: 2 in 1; units: 1 in 1; victims as of a single pod: none",
			"two members waited 2 s for the third; waits at Permit: 3 Success of 0.2 s together",
		}},
		{"nothing", func(s *metricTale) { s.read = slices.Repeat([]counts{{}}, 7) }, []string{
			"fits: no such series; short of a member: no such series; preempts: no such series; no room: no such series",
			"short of a member: no such series; without a group: no such series; no room: no such series",
			"attempts: no such series; victims: no such series; units: no such series; victims as of a single pod: no such series",
			"two members waited 2 s for the third; waits at Permit: no such series",
		}},
	} {
		s := goodMetricTale()
		tt.change(&s)
		_, findings := kittest.Judge(t, counted, s.tell().View())
		for i, f := range findings {
			if f.Value != tt.want[i] {
				t.Errorf("%s: observed\n  %q, want\n  %q", tt.name, f.Value, tt.want[i])
			}
		}
	}
}
