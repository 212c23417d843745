package report

import (
	"strings"
	"time"

	"muster/perf/measure"
	"muster/perf/scenario"
	"muster/reports/v1alpha1"
	"muster/suites/history"
)

// collecting values; what was not measured adds none.
type collecting []v1alpha1.PerfValue

func (c *collecting) up(name, unit string, v float64) {
	*c = append(*c, v1alpha1.PerfValue{Name: name, Unit: unit, Value: v, HigherIsBetter: true})
}

func (c *collecting) down(name, unit string, v float64) {
	*c = append(*c, v1alpha1.PerfValue{Name: name, Unit: unit, Value: v})
}

// spread of times. Where a name of its own is a primary figure (figures), the median or the maximum is there already.
func (c *collecting) spread(name, median, most string, d measure.Distribution) {
	if d.Count == 0 {
		return
	}
	if median != "" {
		c.down(median, "sec", d.Median.Seconds())
	}
	if most != "" {
		c.down(most, "sec", d.Max.Seconds())
	}
	if d.P99 != nil {
		c.down(name+"-p99-sec", "sec", d.P99.Seconds())
	}
}

// figures are all that can be a scenario's primary one, or a gate's, each under its own unit: what is called so here is what
// was decided by, whatever the scenario is mainly run for.
func (c *collecting) figures(r *measure.Result) {
	for _, f := range scenario.Figures {
		q := f.Of(r)
		if q.Value <= 0 {
			continue
		}
		unit := q.Unit
		switch {
		case f == scenario.Occupancy:
			unit = "ratio"
		case strings.Contains(unit, "-sec"):
			unit = "sec"
		}
		*c = append(*c, v1alpha1.PerfValue{Name: q.Unit, Unit: unit, Value: q.Value, HigherIsBetter: q.HigherIsBetter})
	}
}

// values of a run, in the order in which they are read. A name says what was measured and in what; it is one word, so
// that benchstat takes it for a unit.
func values(r *measure.Result) []v1alpha1.PerfValue {
	var c collecting
	c.figures(r)
	if t := r.Throughput; t.Bound > 0 {
		if t.Start > 0 {
			c.up("whole-run-pods/s", "pods/s", t.Overall)
			c.down("start-sec", "sec", t.Start.Seconds())
		}
		if t.InWindow > 0 {
			c.up("window-pods/s", "pods/s", t.InWindow)
		}
		if t.Upstream != nil {
			c.up("SchedulingThroughput-pods/s", "pods/s", t.Upstream.Average)
		}
	}
	if r.OfCeiling > 0 {
		c.up("of-ceiling", "ratio", r.OfCeiling)
	}
	c.spread("gang-first", "gang-first-sec", "gang-first-max-sec", r.Gangs.FirstBind)
	c.spread("gang-ready", "", "gang-ready-max-sec", r.Gangs.QuorumBound)
	c.spread("gang-last", "gang-last-sec", "gang-last-max-sec", r.Gangs.LastBind)
	c.spread("verdict", "verdict-median-sec", "", r.Gangs.Refused)
	if p := r.Partial; p.Gangs > 0 {
		c.down("partial-at-rest", "ratio", p.AtRestRate)
		c.down("partial-in-flight", "ratio", p.InFlightRate)
		c.down("partial-longest-sec", "sec", p.Longest.Seconds())
		c.down("partial-gpu-sec", "gpu-sec", p.GPUSeconds)
	}
	if t := r.Topology; t != nil && t.Looked > t.Undecided {
		c.up("closeness", "ratio", t.Score)
	}
	if e := r.Evictions; e != nil {
		c.down("evictions", "pods", float64(e.Made))
		if e.Needed != nil {
			c.down("evictions-needed", "pods", float64(*e.Needed))
		}
		for _, v := range []struct {
			name string
			d    *time.Duration
		}{{"first-eviction-sec", e.ToFirst}, {"last-eviction-sec", e.ToLast}, {"room-sec", e.ToRoom}} {
			if v.d != nil {
				c.down(v.name, "sec", v.d.Seconds())
			}
		}
		c.spread("reclaim", "reclaim-median-sec", "", e.Reclaim)
	}
	if k := r.Capacity; k.Available > 0 {
		c.up("allocation", "ratio", k.AllocationRatio)
		c.up("allocation-useful", "ratio", k.Occupancy)
		c.down("fragmentation", "ratio", k.Fragmentation)
	}
	if r.Capacity.Wanted > 0 {
		c.up("of-wanted", "ratio", r.Capacity.OfWanted)
	}
	if r.Attempts.Attempts > 0 {
		c.up("pods/attempt", "pods", r.Attempts.PerAttempt)
	}
	c.costs(r)
	c.phases(r)
	return c
}

// phases are told one by one, each value with the phase's name in front.
func (c *collecting) phases(r *measure.Result) {
	for _, p := range r.Phases {
		if p.Rate > 0 {
			c.up(p.Name+":pods/s", "pods/s", p.Rate)
		}
		c.spread(p.Name+":gang-ready", p.Name+":gang-ready-sec", p.Name+":gang-ready-max-sec", p.QuorumBound)
	}
}

// costs are what the scheduler used, and asked of the API server.
func (c *collecting) costs(r *measure.Result) {
	if p, ok := r.Processes[history.ProcessScheduler]; ok {
		c.down("scheduler-cpu-sec", "sec", p.CPU.Seconds())
		if n := r.Throughput.Bound; n > 0 {
			c.down("scheduler-cpu-sec/pod", "sec", p.CPU.Seconds()/float64(n))
		}
		c.down("scheduler-peak-B", "B", float64(p.PeakRSS))
	}
	if r.API != nil && r.API.PerPod > 0 {
		c.down("calls/pod", "calls", r.API.PerPod)
	}
}

func fairness(f *measure.Fairness) *v1alpha1.PerfFairness {
	out := &v1alpha1.PerfFairness{
		ThrottledSeconds: seconds(f.Throttled), ServerLatencySeconds: seconds(f.ServerLatency), ClientLatencySeconds: seconds(f.ClientLatency),
		Achieved: f.Achieved, WebhookCalls: f.Webhooks, Cores: f.Cores, OwnShare: f.OwnShare, LagSource: f.LagSource,
		WatchLag: v1alpha1.PerfSpread{Count: f.WatchLag.Count, Median: f.WatchLag.Median.Seconds(), Max: f.WatchLag.Max.Seconds(),
			P90: seconds(f.WatchLag.P90), P99: seconds(f.WatchLag.P99)},
	}
	if f.Offered > 0 {
		out.Offered = &f.Offered
	}
	return out
}

func seconds(d *time.Duration) *float64 {
	if d == nil {
		return nil
	}
	s := d.Seconds()
	return &s
}
