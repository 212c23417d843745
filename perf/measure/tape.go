package measure

import (
	"slices"
	"time"

	"muster/suites/history"
)

// Tape is what is measured: a view of a run, and the samples of the history that lie in the view's time.
type Tape struct {
	View *history.View
	// Samples of processes and scraped metrics by process, in order of time. The last one before the run begins and the
	// first one after it has ended are among them: counters are read between them.
	Samples map[string][]history.At[history.Sample]
	// Probes are the lags of probe objects: receipt minus the send time an object carries (ProbeAnnotation). They are those
	// of the time in which binds are timed: from the mark on, or from where a backlog's scheduler is let go. The quiet before
	// it would hide a late observer.
	Probes []time.Duration
	// From is where the measured part begins: the driver's mark MarkMeasured. Pods created and gangs whole before it are
	// background; they take room, but their latencies and binds are nobody's figure. Zero: all is measured.
	From history.Stamp

	// claims by UID of a pod or a gang: when the claims generated for it were all named in its status.
	claims map[string]claimNote
}

// MarkMeasured is the driver's mark between the preparation of a cluster and the measured load.
const MarkMeasured = "measured"

// NewTape reads a history for a view of it. The view may be of a scope or of the whole.
func NewTape(h *history.History, v *history.View) *Tape {
	t := &Tape{View: v, Samples: map[string][]history.At[history.Sample]{}, claims: map[string]claimNote{}}
	t.From, _ = v.Mark(MarkMeasured)
	from, to := v.Begin.Mono, time.Duration(-1)
	if !v.End.IsZero() {
		to = v.End.Mono
	}
	timed := max(from, t.From.Mono, t.letGo().Mono)
	for i := range h.Events {
		e := &h.Events[i]
		if e.Origin == history.Sampling && e.Sample != nil {
			s := history.At[history.Sample]{Stamp: stampOf(e), Value: *e.Sample}
			t.Samples[e.Sample.Process] = append(t.Samples[e.Sample.Process], s)
			continue
		}
		if e.Mono < from || to >= 0 && e.Mono > to {
			continue
		}
		noteClaims(t.claims, e)
		if lag, ok := probeLag(e); ok && e.Mono >= timed {
			t.Probes = append(t.Probes, lag)
		}
	}
	for p, all := range t.Samples {
		slices.SortStableFunc(all, func(a, b history.At[history.Sample]) int { return int(a.Stamp.Seq - b.Stamp.Seq) })
		t.Samples[p] = around(all, max(from, t.From.Mono), to)
	}
	return t
}

// stampOf is a sample's place: its time is what matters, its order is that of receipt.
func stampOf(e *history.Event) history.Stamp {
	return history.Stamp{Order: e.Seq, Seq: e.Seq, Wall: e.Wall, Mono: e.Mono}
}

// around are the samples from the last one at or before from to the first one at or after to (negative: the end).
func around(all []history.At[history.Sample], from, to time.Duration) []history.At[history.Sample] {
	lo, hi := 0, len(all)
	for i, s := range all {
		if s.Stamp.Mono <= from {
			lo = i
		}
		if to >= 0 && s.Stamp.Mono >= to {
			hi = i + 1
			break
		}
	}
	return all[min(lo, hi):hi]
}

// span is when the measured part began and ended: the mark, the scenario's bounds, else the first creation and the last
// place recorded.
func (t *Tape) span() (from, to time.Duration) {
	to = t.View.Now().Mono
	if !t.From.IsZero() {
		return t.From.Mono, to
	}
	if !t.View.Begin.IsZero() {
		return t.View.Begin.Mono, to
	}
	from = to
	for _, p := range t.View.Pods {
		from = min(from, p.Created.Mono)
	}
	return from, to
}

// letGo is when the scheduler was started, where it was held back until a backlog was whole; zero where it ran all along.
// A restart after its first bind is part of the run.
func (t *Tape) letGo() (at history.Stamp) {
	first := history.Stamp{}
	for _, p := range t.View.Pods {
		if p.ByScheduler() && p.Bound.Before(first) {
			first = p.Bound
		}
	}
	for _, a := range t.View.Actions {
		if a.Value.Verb == history.VerbStart && a.Stamp.Before(first) {
			at = a.Stamp
		}
	}
	return at
}

// own are the measured pods that the scheduler under test had to place: its schedulerName, and not bound by anybody else.
func (t *Tape) own() []*history.Pod {
	var out []*history.Pod
	for _, p := range t.View.Pods {
		if !t.background(p.Created) && p.Ours && !p.ByDriver && !p.BornBound {
			out = append(out, p)
		}
	}
	return out
}

// background reports whether something that began at s belongs to the preparation.
func (t *Tape) background(s history.Stamp) bool { return !t.From.IsZero() && s.Before(t.From) }

// since is the time from one stamp to another as received, never negative: watches of two resources may overtake one
// another by a few milliseconds.
func since(to, from history.Stamp) time.Duration { return max(to.Since(from), 0) }

// latestOf is the stamp that was received last, of those that are not zero.
func latestOf(stamps ...history.Stamp) (last history.Stamp) {
	for _, s := range stamps {
		if !s.IsZero() && (last.IsZero() || s.Mono > last.Mono) {
			last = s
		}
	}
	return last
}
