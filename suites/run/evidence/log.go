package evidence

import (
	"fmt"
	"strings"
	"time"

	"muster/suites/history"
)

// around is how much of the log before and after the scenario is kept with it.
const around = time.Second

// logOf are the log's lines from the time of the scenario that the slice holds, below a line that says what they are.
// A line without a time belongs to the one before it. Where no line carries a time that is understood, or none is from
// the scenario's time, it is the whole log that is given.
func logOf(log []string, slice *history.History) []byte {
	whole := strings.Join(log, "\n") + "\n"
	from, to := window(slice)
	if from.IsZero() {
		return []byte("# end of the scheduler's log of the whole run\n" + whole)
	}
	var kept []string
	inside, timed := false, false
	for _, line := range log {
		if t, ok := timeOf(line, from); ok {
			timed = true
			inside = !t.Before(from.Add(-around)) && !t.After(to.Add(around))
		}
		if inside {
			kept = append(kept, line)
		}
	}
	switch {
	case !timed:
		return []byte("# end of the scheduler's log of the whole run: its lines carry no time that is understood\n" + whole)
	case len(kept) == 0:
		return []byte("# end of the scheduler's log of the whole run: none of it is from the scenario's time\n" + whole)
	}
	head := fmt.Sprintf("# scheduler's log from %s to %s, the time of the scenario\n", from.UTC().Format(time.RFC3339), to.UTC().Format(time.RFC3339))
	return []byte(head + strings.Join(kept, "\n") + "\n")
}

// window is the time from the scenario's begin to its end, or to the last event where the record breaks off.
func window(slice *history.History) (from, to time.Time) {
	for i := range slice.Events {
		e := &slice.Events[i]
		if e.Origin != history.Driver || e.Action == nil {
			continue
		}
		switch e.Verb {
		case history.VerbBegin:
			from = e.Wall
		case history.VerbEnd:
			to = e.Wall
		}
	}
	if n := len(slice.Events); to.IsZero() && n > 0 {
		to = slice.Events[n-1].Wall
	}
	return from, to
}

// timeOf is the time at the beginning of a line: as klog writes it ("I1130 00:04:31.123456", local time without a
// year, which is then that of near), or RFC 3339.
func timeOf(line string, near time.Time) (time.Time, bool) {
	const klog = "0102 15:04:05.000000"
	if len(line) > len(klog) && strings.ContainsRune("IWEF", rune(line[0])) {
		if t, err := time.ParseInLocation("2006 "+klog, near.Local().Format("2006 ")+line[1:1+len(klog)], time.Local); err == nil {
			return t, true
		}
	}
	word, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(line, "time="), `"`), " ")
	if t, err := time.Parse(time.RFC3339, strings.Trim(word, `[]"`)); err == nil {
		return t, true
	}
	return time.Time{}, false
}
