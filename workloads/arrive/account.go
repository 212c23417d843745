package arrive

import (
	"cmp"
	"slices"
	"time"
)

// Entry is when one item was meant to be submitted, was, and was answered; all counted from the start.
type Entry struct {
	Index    int
	Intended time.Duration
	Sent     time.Duration
	Done     time.Duration
}

// Account of a run.
type Account struct {
	// Start is what the entries are counted from.
	Start time.Time
	// Released is when a scheduler that was held back was let go; zero where none was.
	Released time.Time
	// Planned items, of which Entries were submitted and answered, in the order of the schedule, and Failed refused.
	Planned int
	Entries []Entry
	Failed  int
	// Offered is the schedule's rate, in items a second; 0 for a burst.
	Offered float64
}

func (a *Account) sort() {
	slices.SortFunc(a.Entries, func(x, y Entry) int { return cmp.Compare(x.Index, y.Index) })
}

// Achieved is the rate at which items were answered, in items a second; 0 under two of them.
func (a *Account) Achieved() float64 {
	if len(a.Entries) < 2 {
		return 0
	}
	first, last := a.Entries[0].Done, a.Entries[0].Done
	for _, e := range a.Entries {
		first, last = min(first, e.Done), max(last, e.Done)
	}
	if last == first {
		return 0
	}
	return float64(len(a.Entries)-1) / (last - first).Seconds()
}

// Lateness is by how much each item was sent after its intended time, in the order of the schedule. Of a burst it is how
// long the workers took to come to it.
func (a *Account) Lateness() []time.Duration {
	out := make([]time.Duration, len(a.Entries))
	for i, e := range a.Entries {
		out[i] = max(e.Sent-e.Intended, 0)
	}
	return out
}
