package preemption

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
	"muster/suites/kit"
)

var events = schema.GroupVersionResource{Group: "events.k8s.io", Version: "v1", Resource: "events"}

// Events are written by and by, and lost under pressure: they are looked up a few times.
const (
	lookups   = 3
	nextLook  = time.Second
	lookLabel = "events, look %d"
)

// victimEvent is what of an Event is of interest.
type victimEvent struct {
	Type, Reason, Note string
	Regarding          struct{ Kind, Name string }
}

// lookUpEvents reads the namespace's Events, which are not watched, until every one of the pods that were preempted has
// one, a bounded number of times.
func lookUpEvents(ctx context.Context, env suites.Env, pods func(*history.View) []*history.Pod) error {
	for i := range lookups {
		resp, err := env.Try(ctx, fmt.Sprintf(lookLabel, i+1), suites.Attempt{Verb: history.VerbList, GVR: events})
		if err != nil {
			return err
		}
		told, _ := eventsOf(resp)
		if env.Await(ctx, "every victim has an event, or the next look", nextLook, func(v *history.View) bool {
			return !slices.ContainsFunc(preempted(v, pods(v), v.Now()), func(p *history.Pod) bool { return len(about(told, p)) == 0 })
		}) {
			break
		}
	}
	return ctx.Err()
}

// eventsOf are the Events of a recorded list, if it is one: what cannot be read does not say that there are none.
func eventsOf(r history.Response) ([]victimEvent, bool) {
	var list struct{ Items *[]victimEvent }
	if !r.OK() || json.Unmarshal(r.Object, &list) != nil || list.Items == nil {
		return nil, false
	}
	return *list.Items, true
}

// about are the Events about a pod. Victims here were created on their nodes, so that they have none for their bind.
func about(all []victimEvent, p *history.Pod) (out []victimEvent) {
	for _, e := range all {
		if e.Regarding.Kind == "Pod" && e.Regarding.Name == p.Name {
			out = append(out, e)
		}
	}
	return out
}

// judgeEvents: what the victims' Events say. who are the preemptors, in words, beside their stories.
func judgeEvents(v *history.View, who []string, stories ...story) suites.Finding {
	c := kit.For(v, "PRE-061")
	at := c.Mark(settled)
	var told []victimEvent
	looked := false
	for i := range lookups {
		if r, ok := v.Try(fmt.Sprintf(lookLabel, i+1)); ok {
			if list, read := eventsOf(r); read {
				looked, told = true, list
			}
		}
	}
	c.Premise(looked, nil, "the events were looked up")
	var said []string
	for i, s := range stories {
		gone := preempted(v, s.legal, at)
		c.Premise(len(gone) > 0, nil, "somebody was preempted for a %s", who[i])
		with, named := 0, 0
		var kinds []string
		for _, p := range gone {
			list := about(told, p)
			if len(list) > 0 {
				with++
			}
			if slices.ContainsFunc(list, func(e victimEvent) bool { return strings.Contains(e.Note, p.Node) }) {
				named++
			}
			for _, e := range list {
				kinds = append(kinds, e.Type+" "+e.Reason)
			}
		}
		slices.Sort(kinds)
		said = append(said, fmt.Sprintf("for a %s %d of %d have one (%s), naming the node in %d",
			who[i], with, len(gone), strings.Join(append(slices.Compact(kinds), none(kinds)...), ", "), named))
	}
	return c.About(at).Saw(strings.Join(said, "; "), "what Events the victims have")
}
