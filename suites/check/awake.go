package check

import (
	"time"

	"muster/suites"
	"muster/suites/history"
)

// duty knows when the scheduler under test could act: time in which the driver had stopped it, or the API server, does not
// count against it. An API server that is there and answers badly is no excuse.
type duty struct {
	away []stretch
	end  history.Stamp
}

// stretch of the recorder's clock.
type stretch struct{ from, to time.Duration }

func dutyOf(v *history.View) duty {
	d := duty{end: v.Now()}
	missing, since := map[string]bool{}, time.Duration(0)
	gone := func(what string, at time.Duration) {
		if len(missing) == 0 {
			since = at
		}
		missing[what] = true
	}
	back := func(what string, at time.Duration) {
		if !missing[what] {
			return
		}
		if delete(missing, what); len(missing) == 0 {
			d.away = append(d.away, stretch{since, at})
		}
	}
	for _, a := range v.Actions {
		at, name := a.Stamp.Mono, a.Value.Name
		switch verb := a.Value.Verb; {
		case verb == history.VerbStop:
			gone("scheduler", at)
		case verb == history.VerbStart:
			back("scheduler", at)
		case verb == history.VerbBreak && name == suites.APIServer:
			gone(name, at)
		case verb == history.VerbMend && name == suites.APIServer:
			back(name, at)
		}
	}
	if len(missing) > 0 {
		d.away = append(d.away, stretch{since, d.end.Mono})
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
