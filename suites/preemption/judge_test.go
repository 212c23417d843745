package preemption

import (
	"slices"
	"testing"

	"muster/suites"
	"muster/suites/history/historytest"
	"muster/suites/kit/kittest"
)

// told is a kittest.Story in short.
type told struct {
	scenario, name string
	tell           *historytest.Builder
	want           verdicts
}

type verdicts = kittest.Verdicts

// Short forms, so that a story's line shows the story.
const (
	pass    = suites.Pass
	fail    = suites.Fail
	unclear = suites.Inconclusive
	seen    = suites.Observed
)

func stories() []told {
	return slices.Concat(needStories(), unitStories(), choiceStories(), policyStories(), drainStories(), equalComesStories(), badPlaceStories(), fieldStories(), toldStories())
}

// inFull are the stories in full.
func inFull() []kittest.Story {
	var all []kittest.Story
	for _, s := range stories() {
		all = append(all, kittest.Story{Scenario: s.scenario, Name: s.name, Tell: s.tell, Want: s.want})
	}
	return all
}

func TestStories(t *testing.T) { kittest.Stories(t, "preemption", inFull()) }
