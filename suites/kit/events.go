package kit

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/suites"
	"muster/suites/history"
)

var eventsOf = schema.GroupVersionResource{Group: "events.k8s.io", Version: "v1", Resource: "events"}

// Events are written by and by, and lost under pressure: they are looked up a few times.
const (
	lookups  = 3
	nextLook = time.Second
)

// EventLook is the label of the nth time, from 0, that Events are looked up.
func EventLook(n int) string { return fmt.Sprintf("events, look %d", n+1) }

// Event is what of an Event object is of interest. It may be observed and is never judged.
type Event struct {
	Type, Reason, Note string
	Regarding          struct{ Kind, Name string }
}

// LookUpEvents reads the Events of the scenario's namespace, which are not watched, until what was read is enough, three
// times at most, a second apart.
func LookUpEvents(ctx context.Context, env suites.Env, enough func(*history.View, []Event) bool) error {
	for i := range lookups {
		resp, err := env.Try(ctx, EventLook(i), suites.Attempt{Verb: history.VerbList, GVR: eventsOf})
		if err != nil {
			return err
		}
		told, _ := eventList(resp)
		if env.Await(ctx, "enough events, or the next look", nextLook, func(v *history.View) bool { return enough(v, told) }) {
			break
		}
	}
	return ctx.Err()
}

// EventsSeen are the Events as they were last looked up; false where they never were, or nothing that was answered could
// be read: that does not say that there are none.
func EventsSeen(v *history.View) (seen []Event, ok bool) {
	for i := range lookups {
		if r, tried := v.Try(EventLook(i)); tried {
			if list, read := eventList(r); read {
				seen, ok = list, true
			}
		}
	}
	return seen, ok
}

func eventList(r history.Response) ([]Event, bool) {
	var list struct{ Items *[]Event }
	if !r.OK() || json.Unmarshal(r.Object, &list) != nil || list.Items == nil {
		return nil, false
	}
	return *list.Items, true
}

// EventsAbout are those of the Events that are about the object of that kind and name.
func EventsAbout(all []Event, kind, name string) []Event {
	return slices.DeleteFunc(slices.Clone(all), func(e Event) bool { return e.Regarding.Kind != kind || e.Regarding.Name != name })
}

// KindsOfEvents are the types and reasons of Events in words, each once, in one order; "none" for none.
func KindsOfEvents(events []Event) string {
	var kinds []string
	for _, e := range events {
		kinds = append(kinds, e.Type+" "+e.Reason)
	}
	if len(kinds) == 0 {
		return "none"
	}
	slices.Sort(kinds)
	return strings.Join(slices.Compact(kinds), ", ")
}
