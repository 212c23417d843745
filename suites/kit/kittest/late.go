package kittest

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"muster/suites"
	"muster/suites/history"
)

// LateVictims are the scenarios that say how few may be evicted, with what they say: told a good story with one more
// eviction just before its last mark, their judges object, or observe something else. At the moment at which the last
// pod is bound nothing is known yet of whoever is evicted without need, since binds and evictions go out beside one
// another: such a scenario has to look on between the last thing it waits for and its last mark (kit.AwaitOver).
//
// Evicted are, one at a time, pods that stood before the last pod came, where not all pods are of one priority, and pods
// that the driver had placed by an earlier mark: the scheduler had no part in them, and is to leave them alone.
func LateVictims(t *testing.T, stories []Story) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, s := range stories {
		if !s.Good() {
			continue
		}
		told := s.Tell.View()
		earlier, end := lastMarks(told)
		if end.IsZero() {
			continue
		}
		last, equal := lastCreated(told), ofOnePriority(told.Pods)
		_, before := Judge(t, s.Scenario, told)
		for i, p := range told.Pods {
			lower := !equal && p.Bound.Before(last)
			placed := !p.ByScheduler() && p.BoundAt(earlier)
			if !p.BoundAt(end) || !lower && !placed {
				continue
			}
			v := s.Tell.View()
			evictAt(v.Pods[i], justBefore(end))
			_, after := Judge(t, s.Scenario, v)
			if what := otherwise(before, after); what != "" {
				out[s.Scenario] = what
			}
		}
	}
	return out
}

// otherwise is the first finding that is worse than without the eviction, or observes something else; empty: none is.
func otherwise(before, after []suites.Finding) string {
	for i := range min(len(before), len(after)) {
		if after[i].Verdict == suites.Fail && before[i].Verdict != suites.Fail || after[i].Value != before[i].Value {
			return line(after[i])
		}
	}
	return ""
}

// evictAt lets a scheduler evict the pod at a place.
func evictAt(p *history.Pod, at history.Stamp) {
	p.Deleting, p.Gone = at, at
	p.Conditions[string(corev1.DisruptionTarget)] = []history.At[history.Condition]{{Stamp: at, Value: history.Condition{
		Status: string(corev1.ConditionTrue), Reason: corev1.PodReasonPreemptionByScheduler,
	}}}
}

// justBefore is a place between the event at a stamp and the one before it. It is told apart by its order alone, which
// the mark yields: nothing in a judge asks for the place of a mark but the mark.
func justBefore(s history.Stamp) history.Stamp {
	s.Order--
	s.Seq--
	return s
}

// lastMarks are the places of the last mark and of the one before it; zero where there is none.
func lastMarks(v *history.View) (earlier, last history.Stamp) {
	for _, a := range v.Actions {
		if a.Value.Verb == history.VerbMark {
			earlier, last = last, a.Stamp
		}
	}
	return earlier, last
}

func lastCreated(v *history.View) (last history.Stamp) {
	for _, p := range v.Pods {
		if last.IsZero() || p.Created.After(last) {
			last = p.Created
		}
	}
	return last
}

func ofOnePriority(pods []*history.Pod) bool {
	for _, p := range pods {
		if p.Priority != pods[0].Priority {
			return false
		}
	}
	return true
}
