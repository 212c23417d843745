package history

import (
	"sort"
	"strconv"
)

// ordering gives every event its place in the total order at once, when it is received, and never moves it again:
// that is what lets a live view and a judged one agree.
//
// Where storage is one etcd, all resource versions are revisions of one counter, so an object's event lies at its own
// revision however late its watch delivered it. An event without a revision of its own (a mark, a refusal, a sample)
// lies right after the highest revision known when it was received: the highest delivered by any watch, or returned
// to the driver. A watch event that is received later but has a lower revision was committed before that and sorts
// before it; one with a higher revision sorts after it, although it may have been committed a watch's lag earlier.
//
// A driver's action with a revision in its response lies at that revision, right after the object's own event, so
// that the state in force at the action contains what it did. A request that changed nothing, as a get never does, is
// answered with an old revision: the action then lies after what was known when it was sent.
//
// Elsewhere the order is the order of receipt.
type ordering struct {
	byRV bool
	// top is the highest revision known.
	top int64
	// known is how top rose, to find what it was when a request was sent.
	known []rise
	// subs is the last place given out behind a revision.
	subs map[int64]int64
}

type rise struct {
	mono int64
	top  int64
}

const (
	subBits = 20
	maxSub  = 1<<subBits - 1
	// maxRV is the highest revision that fits in front of the places behind it; an etcd would need 200 years of
	// 1,000 writes a second to get there.
	maxRV = 1<<(63-subBits) - 1
)

func newOrdering(s Storage) *ordering {
	return &ordering{byRV: s == SingleEtcd, subs: map[int64]int64{}}
}

// revision of a resource version; 0 where it has none.
func revision(rv string) int64 {
	n, err := strconv.ParseInt(rv, 10, 64)
	if err != nil || n < 0 || n > maxRV {
		return 0
	}
	return n
}

// place is the event's place in the order. Events must come in the order of receipt.
func (o *ordering) place(e *Event) int64 {
	if !o.byRV {
		return e.Seq
	}
	switch {
	case e.isObject() && revision(e.RV) > 0:
		rv := revision(e.RV)
		o.rise(e, rv)
		return rv << subBits
	case e.isRequest() && revision(e.Action.Response.RV) > 0:
		rv := revision(e.Action.Response.RV)
		base := max(rv, o.knownAt(int64(e.Action.SentMono)), revision(e.After))
		o.rise(e, rv)
		return o.behind(base)
	}
	o.rise(e, revision(e.After))
	if e.Action != nil {
		o.rise(e, revision(e.Action.Response.RV))
	}
	if e.Verb == VerbSync {
		o.rise(e, revision(e.RV))
	}
	return o.behind(o.top)
}

func (o *ordering) behind(base int64) int64 {
	sub := min(o.subs[base]+1, maxSub)
	o.subs[base] = sub
	return base<<subBits | sub
}

func (o *ordering) rise(e *Event, rv int64) {
	if rv <= o.top {
		return
	}
	o.top = rv
	o.known = append(o.known, rise{mono: int64(e.Mono), top: rv})
}

// knownAt is the highest revision known at a time of the recorder's monotonic clock.
func (o *ordering) knownAt(mono int64) int64 {
	i := sort.Search(len(o.known), func(i int) bool { return o.known[i].mono > mono })
	if i == 0 {
		return 0
	}
	return o.known[i-1].top
}

// isObject reports an event that tells an object's form, or its end.
func (e *Event) isObject() bool {
	switch e.Verb {
	case VerbAdded, VerbModified, VerbDeleted:
		return e.Origin == Watch || e.Origin == List || e.Origin == Relist
	}
	return false
}

// isRequest reports a driver's action that is a request to the API server (not a mark, an await and the like).
func (e *Event) isRequest() bool {
	if e.Origin != Driver || e.Action == nil {
		return false
	}
	switch e.Verb {
	case VerbCreate, VerbGet, VerbList, VerbUpdate, VerbPatch, VerbDelete, VerbBind:
		return true
	}
	return false
}

// ResourceName is how gaps name the event's resource: "pods", "podgroups.scheduling.k8s.io".
func (e *Event) ResourceName() string {
	if e.Group == "" {
		return e.Resource
	}
	return e.Resource + "." + e.Group
}
