package measure

import "muster/suites/history"

// Attempts is how much came of the scheduler's attempts.
type Attempts struct {
	// Pods bound in Attempts attempts, and how many that is an attempt. An attempt at a gang places many pods at once.
	Pods       int     `json:"pods"`
	Attempts   float64 `json:"attempts"`
	PerAttempt float64 `json:"perAttempt"`
	// Source says where Attempts comes from: "metrics" (the scheduler's own counters) or "history": rejections seen on
	// pods plus one for every pod or gang that was bound. The second misses attempts that left no trace.
	Source string `json:"source"`
	// Rejected is how many attempts left PodScheduled=False on a pod.
	Rejected int `json:"rejected"`
}

// Upstream's counters of attempts: of single pods, and of groups.
const (
	podAttempts   = "scheduler_schedule_attempts_total"
	groupAttempts = "scheduler_podgroup_schedule_attempts_total"
)

func attempts(t *Tape, scheduler string) Attempts {
	out := Attempts{Source: "history"}
	bound := map[string]bool{}
	rejected := map[string]int{}
	grouped, plain := false, 0.0
	for _, p := range t.own() {
		unit := p.Namespace + "/" + p.Gang
		if p.Gang == "" {
			unit = p.UID
			plain += float64(len(p.Rejected))
		}
		grouped = grouped || p.Gang != ""
		out.Rejected += len(p.Rejected)
		// A rejected gang says so on each of its members: its attempts are those of the member that was told most often.
		rejected[unit] = max(rejected[unit], len(p.Rejected))
		if p.ByScheduler() {
			out.Pods++
			bound[unit] = true
			if p.Gang == "" {
				plain++
			}
		}
	}
	out.Attempts = float64(len(bound))
	for _, n := range rejected {
		out.Attempts += float64(n)
	}
	if n, ok := countedAttempts(t.Samples[scheduler], grouped, plain); ok {
		out.Attempts, out.Source = n, "metrics"
	}
	if out.Attempts > 0 {
		out.PerAttempt = float64(out.Pods) / out.Attempts
	}
	return out
}

// countedAttempts are the attempts by the scheduler's own counters. Upstream counts every member of a group that is
// bound among the attempts at pods as well; so where there are groups only the groups' counter is taken, and the
// attempts at plain pods are those the history shows.
func countedAttempts(samples []history.At[history.Sample], grouped bool, plain float64) (n float64, ok bool) {
	if scrapes(samples) < 2 {
		return 0, false
	}
	if !grouped {
		n = sumOf(counters(samples, podAttempts), nil)
		return n, n > 0
	}
	n = sumOf(counters(samples, groupAttempts), nil)
	return n + plain, n > 0
}
