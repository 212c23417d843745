package measure

import (
	"maps"
	"slices"
	"time"

	"muster/suites/history"
)

// Fairness is what a reader needs to know before believing a number: that nobody but the scheduler was the limit. It is
// printed beside every figure.
type Fairness struct {
	// Client limits of the scheduler under test.
	Client Client `json:"client"`
	// Throttled is how long the scheduler's client waited for its own rate limiter, summed over requests; nil where its
	// metrics do not tell.
	Throttled *time.Duration `json:"throttled,omitempty"`
	// ServerLatency is the API server's mean latency of requests that do not last (no watches), ClientLatency the same as
	// the scheduler's client saw it; nil where not scraped.
	ServerLatency *time.Duration `json:"serverLatency,omitempty"`
	ClientLatency *time.Duration `json:"clientLatency,omitempty"`
	// Webhooks is how often admission webhooks were called. They belong to a side's installation, not to its speed.
	Webhooks float64 `json:"webhooks"`
	// Offered and Achieved creation rate, in pods per second. Offered is zero for closed loads: as fast as can be.
	Offered  float64 `json:"offered"`
	Achieved float64 `json:"achieved"`
	// Cores is the mean number of cores each process used while it was sampled: a scheduler that is held back, from where
	// it is let go. OwnShare is the share of muster itself (creator and observer) in the CPU time of all of them over one and
	// the same time, from the mark to the end: one that is held back uses none of it until then. Nil where muster was not
	// sampled.
	Cores    map[string]float64 `json:"cores,omitempty"`
	OwnShare *float64           `json:"ownShare,omitempty"`
	// WatchLag is how much later than it was sent something was seen; LagSource says of what: "probe" objects that carry
	// their send time, or "creations": the watch's word for a pod after the answer to the driver.
	WatchLag  Distribution `json:"watchLag"`
	LagSource string       `json:"lagSource,omitempty"`
}

// What watch lag is known from.
const (
	LagOfProbes    = "probe"
	LagOfCreations = "creations"
)

// Client are a component's client limits.
type Client struct {
	// QPS and Burst as configured; 0 is not known, negative unlimited.
	QPS   float64 `json:"qps"`
	Burst int     `json:"burst"`
}

func fairness(t *Tape, o Options, l Load, ps map[string]Process) Fairness {
	scheduler, server := t.Samples[o.Scheduler], t.Samples[ProcessAPIServer]
	f := Fairness{
		Client: o.Client, Offered: o.Plan.Rate, Achieved: l.Rate,
		Webhooks: sumOf(counters(server, serverAdmission), nil),
	}
	if scrapes(scheduler) >= 2 {
		if cs := counters(scheduler, clientThrottle); len(cs) > 0 {
			d := time.Duration(sumOf(cs, nil) * float64(time.Second))
			f.Throttled = &d
		}
	}
	if d, ok := meanOf(server, serverLatency, serverLatencyN, notWatching); ok {
		f.ServerLatency = &d
	}
	if d, ok := meanOf(scheduler, clientLatency, clientLatencyN, nil); ok {
		f.ClientLatency = &d
	}
	var sum time.Duration
	for _, name := range slices.Sorted(maps.Keys(ps)) {
		if p := ps[name]; p.Over > 0 {
			if f.Cores == nil {
				f.Cores = map[string]float64{}
			}
			f.Cores[name] = p.Cores()
			sum += p.CPU
		}
	}
	if _, ok := f.Cores[ProcessMuster]; ok && sum > 0 {
		share := ps[ProcessMuster].CPU.Seconds() / sum.Seconds()
		f.OwnShare = &share
	}
	f.WatchLag, f.LagSource = lag(t)
	return f
}

// lag prefers probes, which come evenly over the time in which binds are timed, to creations, which all come at its
// beginning.
func lag(t *Tape) (Distribution, string) {
	samples, source := lagSamples(t)
	return distribution(samples), source
}

func lagSamples(t *Tape) (samples []time.Duration, source string) {
	if len(t.Probes) > 0 {
		return t.Probes, LagOfProbes
	}
	answered := answers(t.View)
	var lags []time.Duration
	for _, p := range t.View.Pods {
		if at, ok := answered[p.UID]; ok && !t.background(p.Created) {
			lags = append(lags, max(p.Created.Mono-at, 0))
		}
	}
	if len(lags) == 0 {
		return nil, ""
	}
	return lags, LagOfCreations
}

// gapsMatter lists the gaps that may hide binds or creations.
func gapsMatter(v *history.View) []history.Gap {
	return v.GapsIn("pods", "nodes", "podgroups.scheduling.k8s.io")
}
