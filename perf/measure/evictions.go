package measure

import (
	"time"

	"muster/suites/history"
)

// Evictions is what preemption cost, and how long it took.
type Evictions struct {
	// Made is how many bound pods were evicted: deleted before they had finished, and not by the driver.
	Made int `json:"made"`
	// Needed is the fewest pods that had to go for the gangs and pods which the evictions made room for to fit, nil where it
	// is not known (NeededWhy says why). Made/Needed is the waste; Exact says whether Needed is the optimum or a lower
	// bound of it.
	Needed    *int   `json:"needed,omitempty"`
	NeededWhy string `json:"neededWhy,omitempty"`
	Exact     bool   `json:"exact"`
	// Reclaim is, for every gang and pod that outranks a victim, was not bound before the first was evicted, could have been
	// before the last was, and was placed later, the time from when it could have been bound until its quorum was. ToFirst is
	// until the first victim was marked for deletion, ToLast until the last was, ToRoom until the last had gone, all from the
	// start of the first of them.
	Reclaim Distribution   `json:"reclaim"`
	ToFirst *time.Duration `json:"toFirst,omitempty"`
	ToLast  *time.Duration `json:"toLast,omitempty"`
	ToRoom  *time.Duration `json:"toRoom,omitempty"`
}

// claimant is a gang or a plain pod that evictions made room for.
type claimant struct {
	start, ready history.Stamp
	priority     int32
	quorum       int
	gang         *history.Gang // nil: a plain pod
	members      []*history.Pod
}

// evictions is nil where nothing was evicted.
func evictions(t *Tape) *Evictions {
	victims := evicted(t.View)
	if len(victims) == 0 {
		return nil
	}
	first, last, room := victims[0].Deleting, victims[0].Deleting, history.Stamp{}
	lowest, all := victims[0].Priority, true
	for _, p := range victims {
		if p.Deleting.Before(first) {
			first = p.Deleting
		}
		last = latestOf(last, p.Deleting)
		lowest = min(lowest, p.Priority)
		all = all && !p.Gone.IsZero()
		room = latestOf(room, p.Gone)
	}
	out := &Evictions{Made: len(victims)}
	claimants := claimantsOf(t, first, last, lowest)
	var reclaim []time.Duration
	var began history.Stamp
	for _, c := range claimants {
		if began.IsZero() || c.start.Mono < began.Mono {
			began = c.start
		}
		if !c.ready.IsZero() {
			reclaim = append(reclaim, since(c.ready, c.start))
		}
	}
	out.Reclaim = distribution(reclaim)
	if !began.IsZero() {
		f, l := since(first, began), since(last, began)
		out.ToFirst, out.ToLast = &f, &l
		if all {
			d := since(room, began)
			out.ToRoom = &d
		}
	}
	n, exact, err := needed(t.View, first, claimants)
	if err != nil {
		out.NeededWhy = err.Error()
		return out
	}
	out.Needed, out.Exact = &n, exact
	return out
}

// evicted are the pods that were bound and then deleted by neither the driver nor their own end, in order of creation.
func evicted(v *history.View) []*history.Pod {
	driver := map[string][]*history.Event{}
	for i := range v.Actions {
		e := &v.Actions[i].Value
		if e.Verb == history.VerbDelete && e.Resource == "pods" && e.Action != nil && (e.Action.Response.OK() || e.Action.Response.Code == 0) {
			key := e.Namespace + "/" + e.Name
			driver[key] = append(driver[key], e)
		}
	}
	var out []*history.Pod
	for _, p := range v.Pods {
		if p.Bound.IsZero() || p.Deleting.IsZero() || p.Deleting.Before(p.Bound) || p.Finished.Before(p.Deleting) {
			continue
		}
		if !deletedBy(driver[p.Namespace+"/"+p.Name], p) {
			out = append(out, p)
		}
	}
	return out
}

// deletedBy reports whether one of the driver's deletes of that name was of this incarnation, and came before anybody
// else's: it was sent before the deletion was seen, and answered after the creation was.
func deletedBy(deletes []*history.Event, p *history.Pod) bool {
	for _, e := range deletes {
		uid := e.UID
		if uid == "" {
			uid = e.Action.Response.UID
		}
		if (uid == "" || uid == p.UID) && e.Mono >= p.Created.Mono && e.Action.SentMono <= p.Deleting.Mono {
			return true
		}
	}
	return false
}

// claimantsOf are the gangs and plain pods that evictions between two places made room for: they outrank the lowest
// victim, were not bound before the first place, and could have been by the last. Those of a burst come while others
// already evict.
func claimantsOf(t *Tape, first, last history.Stamp, lowest int32) []claimant {
	var out []claimant
	for _, g := range timesOfGangs(t) {
		at := latestOf(first, g.start)
		members := membersOf(t.View, g.gang)
		c := claimant{start: g.start, ready: g.ready, gang: g.gang, priority: g.gang.Priority}
		for _, p := range members {
			c.priority = max(c.priority, p.Priority)
			if p.Ours && p.ActiveAt(at) {
				c.members = append(c.members, p)
			}
		}
		q, _ := history.ValueAt(g.gang.Quorum, at)
		if c.quorum = int(q); c.quorum == 0 || g.start.Mono > last.Mono || c.priority <= lowest || !g.first.IsZero() && g.first.Before(first) {
			continue
		}
		out = append(out, c)
	}
	for _, p := range t.own() {
		s := eligibleFrom(t, p)
		if p.Gang == "" && !s.IsZero() && s.Mono <= last.Mono && p.Priority > lowest && !p.Bound.Before(first) && p.ActiveAt(latestOf(first, s)) {
			out = append(out, claimant{start: s, ready: p.Bound, priority: p.Priority, quorum: 1, members: []*history.Pod{p}})
		}
	}
	return out
}
