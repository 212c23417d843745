package devices

import (
	"testing"
	"time"

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

// settled is longer than any settle bound in these stories.
const settled = 2 * time.Minute

func stories() []story {
	var out []story
	for _, more := range [][]story{sharedStories(), shortStories(), choiceStories(), servedStories(), lifecycleStories(), endStories(), gateStories(), evictionStories(), vendorStories(), metricStories()} {
		out = append(out, more...)
	}
	return out
}

// inFull are the stories in full.
func inFull() []kittest.Story {
	var all []kittest.Story
	for _, s := range stories() {
		all = append(all, kittest.Story{Scenario: s.scenario, Name: s.name, Tell: s.tell, Want: s.want})
	}
	return all
}

func TestStories(t *testing.T) { kittest.Stories(t, "devices", inFull()) }
