package check

import (
	"time"

	"muster/suites/history"
)

// duty knows when the scheduler under test was there to act: time in which the driver had stopped it does not count
// against it.
type duty struct {
	away []stretch
	end  history.Stamp
}

// stretch of the recorder's clock.
type stretch struct{ from, to time.Duration }

func dutyOf(v *history.View) duty {
	d := duty{end: v.Now()}
	down := time.Duration(-1)
	for _, a := range v.Actions {
		switch a.Value.Verb {
		case history.VerbStop:
			if down < 0 {
				down = a.Stamp.Mono
			}
		case history.VerbStart:
			if down >= 0 {
				d.away = append(d.away, stretch{down, a.Stamp.Mono})
				down = -1
			}
		}
	}
	if down >= 0 {
		d.away = append(d.away, stretch{down, d.end.Mono})
	}
	return d
}

// awake is the longest time without interruption, from one stamp to the other, in which the scheduler was there: one
// that was started again has its whole settle bound before it. A zero "to" is the view's end.
func (d duty) awake(from, to history.Stamp) time.Duration {
	if to.IsZero() {
		to = d.end
	}
	longest, since := time.Duration(0), from.Mono
	for _, s := range d.away {
		if s.to <= since || s.from >= to.Mono {
			continue
		}
		longest = max(longest, s.from-since)
		since = s.to
	}
	return max(longest, to.Mono-since)
}
