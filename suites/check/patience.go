package check

import (
	"time"

	"muster/suites/history"
)

// patience is the settle bound of a group of so many members that had to be taken from the scheduler's queue at some time
// from one stamp to the other (zero: the end of the view).
//
// The settle bound is the longest back-off, which grows with the members, and a base for all the rest: the queue, the
// decision, the API. What the rest took at that time is measured: a canary pod has no back-off, and waits for nothing
// else. Where it took longer than the base, the base is too short for everybody, and the canary's latency takes its place.
func patience(v *history.View, members int, from, to history.Stamp) time.Duration {
	return v.Settle(members) + max(0, v.Queue(from, to)-v.SettleBase())
}
