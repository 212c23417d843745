package historytest

import (
	"fmt"
	"time"

	"muster/suites/history"
)

// Mark is the driver's named point.
func (b *Builder) Mark(name string) *Builder {
	return b.driver(history.Event{Verb: history.VerbMark, Name: name, Action: &history.Action{}})
}

// Hold is the driver watching for d.
func (b *Builder) Hold(why string, d time.Duration) *Builder {
	b.now += d
	return b.driver(history.Event{Verb: history.VerbHold, Name: why, Action: &history.Action{Label: why}})
}

// Await is the driver having waited d for something; held says whether it came.
func (b *Builder) Await(what string, d time.Duration, held bool) *Builder {
	b.now += d
	return b.driver(history.Event{Verb: history.VerbAwait, Name: what, Action: &history.Action{Label: what, Held: &held}})
}

// Try is an answer of the API server to a request the driver labelled. verb is create, get, update, patch or delete.
func (b *Builder) Try(label, verb, resource, name string, r history.Response) *Builder {
	return b.driver(history.Event{Verb: verb, Version: "v1", Resource: resource, Namespace: Namespace, Name: name,
		Action: &history.Action{Label: label, Response: r}})
}

// Created is the driver's successful create of an object outside the scenario's namespace, of which nothing else is seen.
func (b *Builder) Created(resource, namespace, name string) *Builder {
	return b.driver(history.Event{Verb: history.VerbCreate, Resource: resource, Namespace: namespace, Name: name,
		Action: &history.Action{Response: history.Response{Code: 201}}})
}

// StopScheduler and StartScheduler are the driver's doing.
func (b *Builder) StopScheduler() *Builder {
	return b.driver(history.Event{Verb: history.VerbStop, Action: &history.Action{}})
}

// StartScheduler starts the scheduler under test again.
func (b *Builder) StartScheduler() *Builder {
	return b.driver(history.Event{Verb: history.VerbStart, Action: &history.Action{}})
}

// Crash is the scheduler under test ending by itself.
func (b *Builder) Crash(exit string, log ...string) *Builder {
	return b.sample(history.VerbCrash, history.Sample{Process: history.ProcessScheduler, Exit: exit, Log: log})
}

// Canary is the bind latency of a canary pod.
func (b *Builder) Canary(d time.Duration) *Builder {
	return b.sample(history.VerbCanary, history.Sample{Process: history.ProcessScheduler, Canary: d})
}

func (b *Builder) sample(verb string, s history.Sample) *Builder {
	return b.add(history.Event{Origin: history.Sampling, Stream: "sample:" + s.Process, Verb: verb, Sample: &s})
}

// BreakWatch makes a gap in a resource's stream ("pods", "nodes", "podgroups"): the watch broke and went on.
func (b *Builder) BreakWatch(resource string) *Builder {
	for _, s := range b.streams {
		if s.resource == resource {
			return b.add(history.Event{Origin: history.Watch, Stream: s.name(), Group: s.group, Version: s.version,
				Resource: s.resource, Verb: history.VerbError, Name: "410 Gone"})
		}
	}
	panic(fmt.Sprintf("historytest: no stream of %s", resource))
}
