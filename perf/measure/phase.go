package measure

import (
	"strings"
	"time"

	"muster/suites/history"
)

// MarkPhase, followed by the phase's name, is the driver's mark at the beginning of a measured phase.
const MarkPhase = "phase "

// Phase is what is said of one of several measured phases by itself: at several rates, one distribution over all of them
// would show nothing. What began in a phase belongs to it, also where it ended in a later one.
type Phase struct {
	Name string `json:"name"`
	// Bound of the scheduler's pods that were created in it, and the pods per second from the first creation to their last
	// bind; 0 where none was bound.
	Bound int     `json:"bound"`
	Rate  float64 `json:"rate"`
	// Gangs that could first have been bound in it; FirstBind and QuorumBound are theirs (see GangLatency).
	Gangs       int          `json:"gangs"`
	FirstBind   Distribution `json:"firstBind"`
	QuorumBound Distribution `json:"quorumBound"`
	// Lateness is by how much its requests were sent after their time; Late: by more than the limit, so that its rate was not
	// what it is called by.
	Lateness Distribution `json:"lateness"`
	Late     bool         `json:"late,omitempty"`
}

// window is the time of a measured phase, from its mark to the next.
type window struct {
	name     string
	from, to history.Stamp // to is zero for the last
}

func (w window) has(s history.Stamp) bool {
	return !s.Before(w.from) && (w.to.IsZero() || s.Before(w.to))
}

// windows are those of the measured phases, in order; none where the driver has marked none.
func (t *Tape) windows() []window {
	var out []window
	for _, a := range t.View.Actions {
		name, ok := strings.CutPrefix(a.Value.Name, MarkPhase)
		if a.Value.Verb != history.VerbMark || !ok {
			continue
		}
		if n := len(out); n > 0 {
			out[n-1].to = a.Stamp
		}
		out = append(out, window{name: name, from: a.Stamp})
	}
	return out
}

// phases are nil where there are not several.
func phases(t *Tape, o Options) []Phase {
	windows := t.windows()
	if len(windows) < 2 {
		return nil
	}
	gangs, own := timesOfGangs(t), t.own()
	out := make([]Phase, len(windows))
	for i, w := range windows {
		late := distribution(o.Lateness[w.name])
		out[i] = Phase{Name: w.name, Lateness: late, Late: late.tail > o.Limits.Lateness}
		out[i].pods(w, own)
		out[i].gangs(w, gangs)
	}
	return out
}

func (p *Phase) pods(w window, own []*history.Pod) {
	var first, last history.Stamp
	for _, pod := range own {
		if !w.has(pod.Created) {
			continue
		}
		if first.IsZero() || pod.Created.Mono < first.Mono {
			first = pod.Created
		}
		if pod.ByScheduler() {
			p.Bound++
			last = latestOf(last, pod.Bound)
		}
	}
	if d := since(last, first); p.Bound > 0 && d > 0 {
		p.Rate = float64(p.Bound) / d.Seconds()
	}
}

func (p *Phase) gangs(w window, all []gangTimes) {
	var first, ready []time.Duration
	for _, g := range all {
		if !w.has(g.start) {
			continue
		}
		p.Gangs++
		if !g.first.IsZero() {
			first = append(first, since(g.first, g.start))
		}
		if !g.ready.IsZero() {
			ready = append(ready, since(g.ready, g.start))
		}
	}
	p.FirstBind, p.QuorumBound = distribution(first), distribution(ready)
}
