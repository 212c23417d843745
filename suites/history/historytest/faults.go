package historytest

import (
	"encoding/json"

	"muster/suites/history"
)

// Break is a fault put into force; Mend is it taken back; Strike is it striking a request of the scheduler.
func (b *Builder) Break(rule string) *Builder { return b.fault(history.VerbBreak, rule, nil) }

// Mend takes a fault back.
func (b *Builder) Mend(rule string) *Builder { return b.fault(history.VerbMend, rule, nil) }

// Strike is a request of the scheduler struck by a fault.
func (b *Builder) Strike(rule string) *Builder { return b.fault(history.VerbStrike, rule, nil) }

// Calls are how many requests the scheduler had made by then, by verb and resource.
func (b *Builder) Calls(label string, by map[string]int) *Builder {
	body, err := json.Marshal(by)
	if err != nil {
		panic(err) // a map of numbers
	}
	return b.fault(history.VerbCalls, label, body)
}

// Metrics are what the scheduler's metrics endpoint was read to serve, by series.
func (b *Builder) Metrics(label string, series map[string]float64) *Builder {
	body, err := json.Marshal(series)
	if err != nil {
		panic(err) // a map of numbers
	}
	return b.fault(history.VerbMetrics, label, body)
}

func (b *Builder) fault(verb, name string, object []byte) *Builder {
	return b.driver(history.Event{Verb: verb, Name: name, Action: &history.Action{Response: history.Response{Object: object}}})
}
