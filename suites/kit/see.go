package kit

import (
	"slices"

	"muster/suites/history"
)

// BoundBetween are the members of the gang that the scheduler under test bound after the first stamp and not after the
// second. A zero first stamp is the beginning of the record, a zero second one its end.
func BoundBetween(v *history.View, gang string, from, to history.Stamp) []*history.Pod {
	return slices.DeleteFunc(slices.Clone(v.Members(gang)), func(p *history.Pod) bool {
		return !p.ByScheduler() || !within(p.Bound, from, to)
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
		return !p.ByScheduler() || !p.Bound.Before(s)
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

// CreatedAfter are the members of the gang created after the stamp.
func CreatedAfter(v *history.View, gang string, s history.Stamp) []*history.Pod {
	return slices.DeleteFunc(slices.Clone(v.Members(gang)), func(p *history.Pod) bool { return !within(p.Created, s, history.Stamp{}) })
}

// CreatedUpTo are the members of the gang created not after the stamp.
func CreatedUpTo(v *history.View, gang string, s history.Stamp) []*history.Pod {
	return slices.DeleteFunc(slices.Clone(v.Members(gang)), func(p *history.Pod) bool { return p.Created.After(s) })
}

// AliveAt are the members that existed at the stamp, bound or not, and were not being deleted and had not finished.
func AliveAt(v *history.View, gang string, s history.Stamp) []*history.Pod {
	return slices.DeleteFunc(slices.Clone(v.Members(gang)), func(p *history.Pod) bool { return !alive(p, s) })
}

// alive reports whether the pod existed at the stamp, was not being deleted and had not finished.
func alive(p *history.Pod, s history.Stamp) bool {
	return !p.Created.After(s) && p.Deleting.After(s) && p.Gone.After(s) && p.Finished.After(s)
}

// AliveAfter are the members that were there at the stamp and not being deleted, or came later.
func AliveAfter(v *history.View, gang string, s history.Stamp) []*history.Pod {
	return slices.DeleteFunc(slices.Clone(v.Members(gang)), func(p *history.Pod) bool {
		return !p.Deleting.After(s) || !p.Gone.After(s)
	})
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
