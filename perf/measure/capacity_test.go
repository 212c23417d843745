package measure

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"muster/suites/history"
	"muster/suites/history/historytest"
)

// spanOf integrates a story from its begin (1 ms) to a time.
func spanOf(t testing.TB, b *historytest.Builder, to time.Duration) Capacity {
	return capacity(tapeOf(t, b), gpu, 0, ms(1), to)
}

func TestCapacityByHand(t *testing.T) {
	// Nodes of 8 GPUs at 2 and 3 ms. A gang of two with 4 GPUs each, pods at 5 and 6 ms, a plain pod with 2 at 7 ms.
	// Binds: plain at 1008 (node-0), g-0 at 2009 (node-0), g-1 at 3010 (node-1). The plain pod ends at 4011.
	b := historytest.New().Nodes(2, gpuNode(8)).Gang("g", 2).Pods("g", 2, gpus(4)).Pod("plain", "", gpus(2)).
		Wait(ms(1000)).Bind("plain", "node-0").
		Wait(ms(1000)).Bind("g-0", "node-0").
		Wait(ms(1000)).Bind("g-1", "node-1").
		Wait(ms(1000)).Finish("Succeeded", "plain").Wait(time.Hour)
	c := spanOf(t, b, ms(5000))
	sec := func(gpuMillis int) float64 { return float64(gpuMillis) / 1000 }
	available := 8*(5000-2) + 8*(5000-3)
	held := 2*(4011-1008) + 4*(5000-2009) + 4*(5000-3010)
	useful := 2*(4011-1008) + 8*(5000-3010) // the gang runs from its quorum on
	wanted := 4*(5000-5) + 4*(5000-6) + 2*(4011-7)
	// Free in pieces below a whole node of 8: node-0 has 6 free from 1008, 2 from 2009, 4 from 4011; node-1 4 from 3010.
	stranded := 6*(2009-1008) + 2*(4011-2009) + 4*(5000-4011) + 4*(5000-3010)
	for name, v := range map[string]struct {
		have float64
		want int
	}{
		"available": {c.Available, available}, "held": {c.Held, held}, "useful": {c.Useful, useful}, "wanted": {c.Wanted, wanted},
		"free": {c.Free, available - held}, "stranded": {c.Stranded, stranded},
	} {
		if v.have != sec(v.want) {
			t.Errorf("%s: %v; want %v", name, v.have, sec(v.want))
		}
	}
	if !near(c.AllocationRatio, sec(held)/sec(available)) || !near(c.Occupancy, sec(useful)/sec(available)) ||
		!near(c.OfWanted, sec(useful)/sec(wanted)) || !near(c.Fragmentation, sec(stranded)/sec(available-held)) {
		t.Errorf("ratios of %+v", c)
	}
	if c.Unit != 8 || !near(c.Peak, 10.0/16) {
		t.Errorf("unit %d, peak %v", c.Unit, c.Peak)
	}
}

func TestPerfectUseIsOne(t *testing.T) {
	b := historytest.New().Nodes(2, gpuNode(4)).Pod("p-0", "", gpus(4)).Pod("p-1", "", gpus(4)).Bind("p-0", "node-0").Bind("p-1", "node-1").Mark("full").Wait(time.Hour)
	tape := tapeOf(t, b)
	full, _ := tape.View.Mark("full")
	c := capacity(tape, gpu, 0, full.Mono, full.Mono+time.Hour)
	if c.OfWanted != 1 || c.AllocationRatio != 1 || c.Occupancy != 1 || c.Free != 0 || c.Fragmentation != 0 || c.Peak != 1 {
		t.Errorf("%+v", c)
	}
}

func TestCapacityOfCPU(t *testing.T) {
	b := historytest.New().Nodes(1, historytest.Has("cpu=4")).Pod("p", "", historytest.Wants("cpu=1500m")).Bind("p", "node-0").Wait(time.Hour)
	c := capacity(tapeOf(t, b), "cpu", 1000, ms(4), ms(1004)) // bound at 4 ms
	if c.Held != 1.5 || c.Available != 4 || c.Free != 2.5 || c.Stranded != 0.5 {
		t.Errorf("%+v", c)
	}
}

// What is being deleted still holds its node, but to no use.
func TestDeletingHoldsWithoutUse(t *testing.T) {
	b := historytest.New().Nodes(1, gpuNode(1)).Pod("p", "", gpus(1)).Bind("p", "node-0"). // bound at 4 ms
												Wait(ms(99)).Deleting("p").Wait(ms(199)).Gone("p").Wait(time.Hour)
	if c := spanOf(t, b, ms(1001)); c.Held != 0.3 || c.Useful != 0.1 || !near(c.Wanted, 0.301) {
		t.Errorf("%+v", c)
	}
}

func TestNodesComeAndGo(t *testing.T) {
	b := historytest.New().Nodes(1, gpuNode(4)). // 2 ms
							Wait(ms(99)).ChangeNode("node-0", gpuNode(6)).  // 102 ms
							Wait(ms(99)).NodeGone("node-0").Wait(time.Hour) // 202 ms
	if c := spanOf(t, b, ms(1001)); c.Available != 0.4+0.6 || c.Unit != 6 {
		t.Errorf("%+v", c)
	}
}

// A week of a large cluster in thousandths of a CPU does not fit 64 bits; the integral is exact all the same.
func TestIntegralDoesNotOverflow(t *testing.T) {
	var whole, half integral
	for range 7 * 24 {
		whole.add(5000*128*1000, time.Hour)
		half.add(5000*64*1000, time.Hour)
	}
	if got := half.over(&whole); got != 0.5 {
		t.Errorf("half of it is %v", got)
	}
	if got := whole.seconds(1000); got != 5000*128*7*24*3600 {
		t.Errorf("%v CPU-seconds", got)
	}
	whole.add(-5, time.Second)
	whole.add(5, -time.Second)
	whole.add(0, time.Second)
	var none integral
	if whole.over(&none) != 0 {
		t.Error("a ratio to nothing")
	}
}

// TestCapacityEqualsASlowSum: on random stories the sweep gives what adding up every millisecond gives.
func TestCapacityEqualsASlowSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := historytest.New().Nodes(3, gpuNode(4))
		b.Gang("g", int32(rapid.IntRange(1, 3).Draw(t, "quorum")))
		free := []int{4, 4, 4}
		type placed struct {
			name       string
			node, gpus int
		}
		var waiting, bound []placed
		for i := range rapid.IntRange(1, 25).Draw(t, "steps") {
			b.Wait(ms(rapid.IntRange(0, 5).Draw(t, "wait")))
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0, 1:
				p := placed{name: fmt.Sprintf("p%d", i), gpus: rapid.IntRange(1, 4).Draw(t, "gpus")}
				b.Pod(p.name, rapid.SampledFrom([]string{"", "g"}).Draw(t, "gang"), gpus(p.gpus))
				waiting = append(waiting, p)
			case 2:
				if n := rapid.IntRange(0, 2).Draw(t, "node"); len(waiting) > 0 && free[n] >= waiting[0].gpus {
					p := waiting[0]
					p.node, waiting = n, waiting[1:]
					free[n] -= p.gpus
					bound = append(bound, p)
					b.Bind(p.name, fmt.Sprintf("node-%d", n))
				}
			case 3:
				if len(bound) > 0 {
					p := bound[0]
					bound = bound[1:]
					free[p.node] += p.gpus
					b.Finish("Succeeded", p.name)
				}
			}
		}
		tape := tapeOf(t, b.Wait(ms(3)))
		from, to := tape.span()
		c := capacity(tape, gpu, 0, from, to)
		var held, useful, stranded int64
		for at := from; at < to; at += time.Millisecond {
			h, u := slowSum(tape, at)
			for _, x := range h {
				held += x
				stranded += (4 - x) % 4
			}
			useful += u
		}
		for name, v := range map[string][2]float64{
			"held": {c.Held, float64(held) / 1000}, "useful": {c.Useful, float64(useful) / 1000},
			"stranded": {c.Stranded, float64(stranded) / 1000},
		} {
			if !near(v[0], v[1]) {
				t.Fatalf("%s: %v; slowly %v", name, v[0], v[1])
			}
		}
		if !near(c.Available, c.Held+c.Free) || c.OfWanted > 1+1e-9 || c.Useful > c.Held+1e-9 {
			t.Fatalf("%+v does not add up", c)
		}
	})
}

// slowSum is what each node holds at a time, and what of it is of use, pod by pod.
func slowSum(t *Tape, at time.Duration) (held map[string]int64, useful int64) {
	held = map[string]int64{"node-0": 0, "node-1": 0, "node-2": 0}
	ready := time.Duration(-1)
	if g := t.View.Gang("g"); g != nil {
		if s := t.View.QuorumBoundOf(g); !s.IsZero() {
			ready = s.Mono
		}
	}
	in := func(s history.Stamp) bool { return !s.IsZero() && s.Mono <= at }
	for _, p := range t.View.Pods {
		if !in(p.Bound) || in(p.Finished) {
			continue
		}
		held[p.Node] += requests(p, gpu)
		if p.Gang == "" || ready >= 0 && ready <= at {
			useful += requests(p, gpu)
		}
	}
	return held, useful
}
