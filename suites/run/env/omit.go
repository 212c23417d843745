package env

import (
	"muster/suites/history"
)

// Omit records that a scenario was not run: a begin event with nothing in its scope but the name, and an end event
// with the status and the reason. So a stored history says of every scenario of the plan what became of it.
func Omit(j Journal, scenario, status, reason string) {
	wall, mono := j.Now()
	for _, e := range []history.Event{
		{Verb: history.VerbBegin, Action: &history.Action{Scope: &history.Scope{Scenario: scenario}}},
		{Verb: history.VerbEnd, Action: &history.Action{Label: status, Response: history.Response{Message: reason}}},
	} {
		e.Stream, e.Origin, e.Name = stream(scenario), history.Driver, scenario
		e.Action.Scenario, e.Action.SentWall, e.Action.SentMono = scenario, wall, mono
		j.Action(e)
	}
}
