package measure

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"muster/fakes/nodes"
	"muster/suites/history/historytest"
)

// TestSameHistorySameNumbers: measuring is a function of the record; measuring twice, or after a round trip of the
// options, gives the same bytes.
func TestSameHistorySameNumbers(t *testing.T) {
	story := func() *historytest.Builder {
		b := historytest.New().Nodes(4, gpuNode(8))
		for i := range 12 {
			name := fmt.Sprintf("g%d", i)
			b.Gang(name, 2).Pods(name, 2, gpus(1)).Wait(ms(i*10)).Bind(name+"-0", fmt.Sprintf("node-%d", i%4)).Bind(name+"-1", fmt.Sprintf("node-%d", i%4))
		}
		return b
	}
	var first []byte
	for range 5 {
		r := Of(tapeOf(t, story(), probes(ms(1), 20)...), Options{Plan: Plan{Pods: 24, Gangs: 12, Arrival: OpenLoop}})
		raw, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = raw
		}
		if !bytes.Equal(first, raw) {
			t.Fatalf("measured\n%s\nthen\n%s", first, raw)
		}
	}
}

// An empty run is measured, not divided by.
func TestNothingHappened(t *testing.T) {
	r := Of(tapeOf(t, historytest.New()), Options{})
	if r.Throughput.Bound != 0 || r.Gangs.Gangs != 0 || r.Topology != nil || r.Evictions != nil || r.API != nil || r.Capacity.OfWanted != 0 {
		t.Errorf("%+v", r)
	}
	if _, err := json.Marshal(r); err != nil {
		t.Errorf("not a number somewhere: %v", err)
	}
}

// What prepares the cluster takes its room and is in no figure.
func TestBackgroundIsNotMeasured(t *testing.T) {
	b := historytest.New().Nodes(2, gpuNode(8)).
		Gang("old", 2).Pods("old", 2, gpus(1)).Pod("clogger", "", gpus(9)).BindAll("node-0", "old-0", "old-1").
		Wait(time.Hour).Mark(MarkMeasured).
		Gang("g", 2).Pods("g", 2, gpus(1)).Wait(ms(997)).BindAll("node-1", "g-0", "g-1")
	tape := tapeOf(t, b, probed(time.Hour+ms(500), ms(1)))
	r := Of(tape, Options{Plan: Plan{Pods: 5, Gangs: 2, Unbound: 1, Arrival: Burst}, NotThroughput: true})
	// The mark, the gang and its two pods take four milliseconds, the binds two.
	if r.Throughput.Bound != 2 || r.Throughput.WholeRun != ms(1000) || r.Gangs.Gangs != 1 || r.Gangs.QuorumBound.Max != ms(999) {
		t.Errorf("%+v, %+v", r.Throughput, r.Gangs)
	}
	if r.Partial.Gangs != 2 || r.Load.Pods != 5 || r.Load.Later != 2 || r.Load.Early != 0 || r.Attempts.Pods != 2 {
		t.Errorf("%+v, %+v, %+v", r.Partial, r.Load, r.Attempts)
	}
	if !r.Validity.Valid {
		t.Errorf("%+v", r.Validity)
	}
	// Two GPUs were held from before; the measured part is a second long.
	if r.Capacity.Available > 16*1.1 || r.Capacity.Held < 2 {
		t.Errorf("%+v", r.Capacity)
	}
}

// BenchmarkOf measures a run of 3,000 pods in gangs of 3 on 5,000 nodes in racks of 100.
func BenchmarkOf(b *testing.B) {
	s := historytest.New()
	for i := range 50 {
		s.Nodes(100, gpuNode(16), historytest.NodeLabel(nodes.RackLabel, fmt.Sprintf("rack-%d", i)))
	}
	for i := range 1000 {
		name := fmt.Sprintf("g%d", i)
		s.Gang(name, 3).Pods(name, 3, gpus(1))
	}
	for i := range 1000 {
		for j := range 3 {
			s.Bind(fmt.Sprintf("g%d-%d", i, j), fmt.Sprintf("node-%d", i%200))
		}
	}
	tape := tapeOf(b, s.Wait(time.Second))
	b.ReportAllocs()
	for b.Loop() {
		Of(tape, Options{Plan: Plan{Pods: 3000, Gangs: 1000, Arrival: Backlog}})
	}
}
