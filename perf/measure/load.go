package measure

import (
	"maps"
	"slices"
	"time"

	"muster/suites/history"
)

// Arrival is how the load was meant to come.
type Arrival string

const (
	// Burst is closed: everything is created as fast as the creator can, while the scheduler works.
	Burst Arrival = "burst"
	// Backlog is created whole before the scheduler is let go.
	Backlog Arrival = "backlog"
	// OpenLoop comes at its own rate, whatever the scheduler does.
	OpenLoop Arrival = "open"
)

// Plan is what the load was meant to be.
type Plan struct {
	// Pods and Gangs to be created in the scenario's namespaces, background included.
	Pods  int `json:"pods"`
	Gangs int `json:"gangs"`
	// Unbound of the pods are meant to stay so (an infeasible gang, gated pods).
	Unbound int     `json:"unbound,omitempty"`
	Arrival Arrival `json:"arrival"`
	// Rate offered by an open loop, in pods per second.
	Rate float64 `json:"rate,omitempty"`
	// Optima are, for each wave of a load that is known to fit perfectly, in order, the amount of the measured resource
	// (counted amounts) that its pods would hold if all were placed; nil for other loads.
	Optima []int64 `json:"optima,omitempty"`
}

// Load is what came of it.
type Load struct {
	// Arrival is how it was meant to come.
	Arrival Arrival `json:"arrival,omitempty"`
	// Pods and Gangs seen in the scenario's namespaces; every incarnation counts.
	Pods  int `json:"pods"`
	Gangs int `json:"gangs"`
	// Creating is the time from the first of the driver's creations of a pod to be answered to the last, Rate the pods
	// created in it a second.
	Creating time.Duration `json:"creating"`
	Rate     float64       `json:"rate"`
	// Waiting is how many of the scheduler's pods were not bound yet when the last was created.
	Waiting int `json:"waiting"`
	// Early is how many were bound by then, Later how many were after that.
	Early int `json:"early"`
	Later int `json:"later"`
	// Whole is how many of Early and Later had all they needed before the last pod was created: plain pods, those of basic
	// groups, and of gangs whose quorum was there. WholeLater of them are among Later: the scheduler had not come to them,
	// and was not waiting for the creator.
	Whole      int `json:"whole"`
	WholeLater int `json:"wholeLater"`
	// Lateness is by how much requests were sent after the time intended for them (open loop).
	Lateness Distribution `json:"lateness"`
}

func load(t *Tape, arrival Arrival, lateness map[string][]time.Duration) Load {
	out := Load{Arrival: arrival, Lateness: distribution(slices.Concat(slices.Collect(maps.Values(lateness))...))}
	for _, p := range t.View.Pods {
		if inScope(t.View, p.Namespace) {
			out.Pods++
		}
	}
	out.Gangs = len(t.View.Gangs)
	at := created(t)
	if len(at) == 0 {
		return out
	}
	times := slices.Sorted(maps.Values(at))
	last := times[len(times)-1]
	out.Creating = last - times[0]
	if out.Creating > 0 {
		out.Rate = float64(len(times)-1) / out.Creating.Seconds()
	}
	incomplete := incompleteAt(t, at, last)
	for _, p := range t.own() {
		if !p.ByScheduler() {
			out.Waiting++
			continue
		}
		whole := !incomplete[p]
		if whole {
			out.Whole++
		}
		if p.Bound.Mono <= last {
			out.Early++
			continue
		}
		out.Waiting++
		out.Later++
		if whole {
			out.WholeLater++
		}
	}
	return out
}

func inScope(v *history.View, namespace string) bool {
	return v.Scope.IsWhole() || slices.Contains(v.Scope.Namespaces, namespace)
}

// created are the times at which pods of the scheduler's were created: the answers to the driver, or, where somebody else
// creates them (a controller), their first sight.
func created(t *Tape) map[*history.Pod]time.Duration {
	answered := answers(t.View)
	out := map[*history.Pod]time.Duration{}
	for _, p := range t.own() {
		out[p] = p.Created.Mono
		if a, ok := answered[p.UID]; ok {
			out[p] = a
		}
	}
	return out
}

// answers are when the driver was told that a pod had been created, by UID.
func answers(v *history.View) map[string]time.Duration {
	out := map[string]time.Duration{}
	for i := range v.Actions {
		e := &v.Actions[i].Value
		if e.Verb != history.VerbCreate || e.Resource != "pods" || e.Action == nil || !e.Action.Response.OK() {
			continue
		}
		uid := e.UID
		if uid == "" {
			uid = e.Action.Response.UID
		}
		if uid != "" {
			out[uid] = e.Mono
		}
	}
	return out
}
