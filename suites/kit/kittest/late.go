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
// Evicted are pods that stood before the last pod came, one at a time, where not all pods are of one priority.
func LateVictims(t *testing.T, stories []Story) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, s := range stories {
		if !s.Good() {
			continue
		}
		told := s.Tell.View()
		end, last := lastMark(told), lastCreated(told)
		_, before := Judge(t, s.Scenario, told)
		if end.IsZero() || ofOnePriority(told.Pods) {
			continue
		}
		for i, p := range told.Pods {
			if !p.BoundAt(end) || !p.Bound.Before(last) {
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

func lastMark(v *history.View) (last history.Stamp) {
	for _, a := range v.Actions {
		if a.Value.Verb == history.VerbMark {
			last = a.Stamp
		}
	}
	return last
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
