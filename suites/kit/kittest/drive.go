package kittest

import (
	"slices"
	"testing"
	"time"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

// longest is what a scheduler that does nothing at all may cost a scenario: a few settle bounds.
const longest = 5 * time.Minute

// Drives runs the tests that the drives of a profile have to pass. witness is a scenario that says how few may be evicted;
// later are marks of stories that stand for a later moment and that no drive makes.
func Drives(t *testing.T, profile string, stories []Story, witness string, later ...string) {
	t.Run("make the marks of the stories", func(t *testing.T) { makeMarks(t, stories, later) })
	t.Run("wait", func(t *testing.T) { wait(t, profile) })
	t.Run("look for late victims", func(t *testing.T) { lookOn(t, stories, witness) })
}

// makeMarks: every mark a good story has is one its scenario makes, in that order. A judge that waits for a mark nobody
// makes would be Inconclusive for ever.
func makeMarks(t *testing.T, stories []Story, later []string) {
	for _, s := range stories {
		if !s.Good() {
			continue
		}
		made := Drive(t, s.Scenario, true).Marks
		left := made
		for _, a := range s.Tell.View().Actions {
			if a.Value.Verb != history.VerbMark || slices.Contains(later, a.Value.Name) {
				continue
			}
			at := slices.Index(left, a.Value.Name)
			if at < 0 {
				t.Errorf("%s/%s: no drive makes the mark %q there (made: %q)", s.Scenario, s.Name, a.Value.Name, made)
				continue
			}
			left = left[at+1:]
		}
	}
}

// wait: waiting in vain is the scheduler's affair, no error of the harness, and no scenario waits for ever; on a scheduler
// that does what it should, holds alone decide how long a scenario takes, and its weight says it.
func wait(t *testing.T, profile string) {
	for _, s := range Of(profile) {
		if e := Drive(t, s.Name, false); e.Waited > longest {
			t.Errorf("%s waits %s for a scheduler that does nothing", s.Name, e.Waited)
		}
		if e := Drive(t, s.Name, true); int(e.Held.Seconds()) > s.Weight {
			t.Errorf("%s holds for %s and weighs %d", s.Name, e.Held, s.Weight)
		}
	}
}

// lookOn: who says how few may be evicted looks on when the last pod is bound.
func lookOn(t *testing.T, stories []Story, witness string) {
	late := LateVictims(t, stories)
	for name, what := range late {
		if e := Drive(t, name, true); e.Looked < kit.Look {
			t.Errorf("%s looks on for %s, want %s: of an eviction just before its end its judge says %s", name, e.Looked, kit.Look, what)
		}
	}
	if late[witness] == "" {
		t.Errorf("%s does not mind an eviction that was not needed; found: %v", witness, late)
	}
}

// Drive runs a scenario without a cluster: every deed succeeds, and every wait answers at once, with yes or with no.
func Drive(t *testing.T, scenario string, answers bool) *Driven {
	t.Helper()
	s, _ := suites.ScenarioByName(scenario)
	e := &Driven{t: t, answers: answers, pools: map[string]nodes.Pool{}, classes: s.Needs.PriorityClasses, names: map[string]bool{}}
	for _, p := range s.Needs.Pools {
		p.RackKey, p.ZoneKey = "muster.dev/rack", "muster.dev/zone"
		e.pools[p.Name] = p
	}
	if err := s.Drive(t.Context(), e); err != nil {
		t.Errorf("driving %s: %v", scenario, err)
	}
	return e
}
