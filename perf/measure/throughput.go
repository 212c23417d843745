package measure

import (
	"slices"
	"time"
)

// Throughput is how many pods the scheduler under test bound, and in what time.
type Throughput struct {
	// Bound pods, attributed to the scheduler under test.
	Bound int `json:"bound"`
	// BindWindow is the time from the first bind to the last, WholeRun from the beginning to the last bind. The beginning is
	// the first creation of a pod, or the start of the scheduler where it was held back until there was a backlog.
	BindWindow time.Duration `json:"bindWindow"`
	WholeRun   time.Duration `json:"wholeRun"`
	// InWindow is (Bound − 1) / BindWindow: the window begins with the first bind, so that one is not part of it. Overall is
	// Bound / WholeRun. Both in pods per second; zero where there is no time to divide by.
	InWindow float64 `json:"inWindow"`
	Overall  float64 `json:"overall"`
	// Rate, in pods per second, is what stands for the run: Overall, but InWindow where the scheduler was held back until
	// there was a backlog. There it begins with a start of the scheduler, which is not throughput: how long that took until
	// the first bind is told apart, as Start. A claim that is allocated before the first bind ends the start, and all pods
	// count from there: who writes the claims of everybody before it binds anybody has not started late and bound fast.
	Rate  float64       `json:"rate"`
	Start time.Duration `json:"start,omitempty"`
	// BySecond are the binds in each full or begun second since the beginning. The series ends with the second of the
	// last bind: seconds in which nothing was left to do are no seconds of zero throughput.
	BySecond []int `json:"bySecond,omitempty"`
	// Curve is how many were bound by when: at most maxCurve points, the last bind always among them.
	Curve []Point `json:"curve,omitempty"`
	// Upstream is scheduler_perf's SchedulingThroughput of the same binds; nil where it would have counted nothing.
	Upstream *Upstream `json:"SchedulingThroughput,omitempty"`
}

// Point of a curve: Bound pods at T since the beginning.
type Point struct {
	T     time.Duration `json:"t"`
	Bound int           `json:"bound"`
}

// maxCurve is enough for any plot that fits a page.
const maxCurve = 240

func throughput(t *Tape) Throughput {
	var binds []time.Duration
	first := time.Duration(-1)
	for _, p := range t.own() {
		if first < 0 || p.Created.Mono < first {
			first = p.Created.Mono
		}
		if p.ByScheduler() {
			binds = append(binds, p.Bound.Mono)
		}
	}
	if len(binds) == 0 {
		return Throughput{}
	}
	held := t.letGo().Mono > first
	first = max(first, t.letGo().Mono)
	slices.Sort(binds)
	for i := range binds {
		binds[i] -= first
	}
	last := binds[len(binds)-1]
	out := Throughput{Bound: len(binds), BindWindow: last - binds[0], WholeRun: last}
	if out.BindWindow > 0 {
		out.InWindow = float64(len(binds)-1) / out.BindWindow.Seconds()
	}
	if last > 0 {
		out.Overall = float64(len(binds)) / last.Seconds()
	}
	out.Rate = out.Overall
	if held {
		out.Rate, out.Start = out.InWindow, binds[0]
		if at, ok := firstAllocation(t, first); ok && at < binds[0] {
			out.Rate, out.Start = float64(len(binds))/(last-at).Seconds(), at
		}
	}
	out.BySecond = bySecond(binds)
	out.Curve = curve(binds)
	out.Upstream = upstream(binds)
	return out
}

// firstAllocation is when the first claim was allocated since a time, counted from it.
func firstAllocation(t *Tape, since time.Duration) (first time.Duration, ok bool) {
	for _, c := range t.View.Claims {
		for _, a := range c.Allocated {
			if at := a.Stamp.Mono - since; a.Value.Result != nil && at >= 0 && (!ok || at < first) {
				first, ok = at, true
			}
		}
	}
	return first, ok
}

// bySecond counts sorted times into seconds; the last second is that of the last time.
func bySecond(times []time.Duration) []int {
	out := make([]int, times[len(times)-1]/time.Second+1)
	for _, d := range times {
		out[d/time.Second]++
	}
	return out
}

func curve(binds []time.Duration) []Point {
	step := (len(binds) + maxCurve - 1) / maxCurve
	var out []Point
	for i := step; i < len(binds); i += step {
		out = append(out, Point{binds[i-1], i})
	}
	return append(out, Point{binds[len(binds)-1], len(binds)})
}
