package composite

import (
	"testing"

	"muster/suites"
	"muster/suites/history/historytest"
	"muster/suites/kit/kittest"
)

// story is a kittest.Story in short.
type story struct {
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

// inFull are the stories in full.
func inFull() []kittest.Story {
	var all []kittest.Story
	for _, s := range stories() {
		all = append(all, kittest.Story{Scenario: s.scenario, Name: s.name, Tell: s.tell, Want: s.want})
	}
	return all
}

func TestStories(t *testing.T) { kittest.Stories(t, "composite", inFull()) }
