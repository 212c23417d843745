package kit

import (
	"slices"
	"time"

	"muster/suites/history"
)

// BoundBetween are the members of the gang that the scheduler under test bound after the first stamp and not after the
// second. A zero first stamp is the beginning of the record, a zero second one its end.
func BoundBetween(v *history.View, gang string, from, to history.Stamp) []*history.Pod {
	return slices.DeleteFunc(slices.Clone(v.Members(gang)), func(p *history.Pod) bool {
		return p.ByDriver || !within(p.Bound, from, to)
	})
}

// DisturbedBetween are the pods among those given on which somebody set a deletion timestamp, or which vanished, in
// the stretch.
func DisturbedBetween(pods []*history.Pod, from, to history.Stamp) []*history.Pod {
	return slices.DeleteFunc(slices.Clone(pods), func(p *history.Pod) bool {
		return !within(p.Deleting, from, to) && !within(p.Gone, from, to)
	})
}

// BoundBefore are the members bound by the scheduler under test before the stamp: strictly, since it is the stamp of
// the event that allows the bind.
func BoundBefore(v *history.View, gang string, s history.Stamp) []*history.Pod {
	return slices.DeleteFunc(slices.Clone(v.Members(gang)), func(p *history.Pod) bool {
		return p.ByDriver || !p.Bound.Before(s)
	})
}

// within reports from < s ≤ to; zero bounds are open.
func within(s, from, to history.Stamp) bool {
	if s.IsZero() {
		return false
	}
	return (from.IsZero() || s.After(from)) && (to.IsZero() || !s.After(to))
}

// LastCreated is the stamp at which the last of the pods was created; zero for none.
func LastCreated(pods []*history.Pod) history.Stamp {
	var last history.Stamp
	for _, p := range pods {
		if last.IsZero() || p.Created.After(last) {
			last = p.Created
		}
	}
	return last
}

// Named are the pods with these names (last incarnations) that the record knows.
func Named(v *history.View, names ...string) []*history.Pod {
	var out []*history.Pod
	for _, n := range names {
		if p := v.Pod(n); p != nil {
			out = append(out, p)
		}
	}
	return out
}

// Objects names pods the way findings do.
func Objects(pods []*history.Pod) []string {
	out := make([]string, len(pods))
	for i, p := range pods {
		out[i] = "pod " + p.Namespace + "/" + p.Name
	}
	return out
}

// Settle is the settle bound that was in force for a group of n members: the scope's where the user overrode it, else
// the scheduler profile's.
func Settle(v *history.View, n int) time.Duration {
	p := v.Header.Scheduler
	if v.Scope.SettleRoot > 0 || v.Scope.SettleBase > 0 {
		p.SettleRoot, p.SettleBase = v.Scope.SettleRoot, v.Scope.SettleBase
	}
	return p.Settle(n)
}
