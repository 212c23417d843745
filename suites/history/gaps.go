package history

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// gapFinder finds the stretches in which a stream may lack events. It only ever doubts: a gap makes the checks that
// depend on the resource Inconclusive.
type gapFinder struct {
	// slice: the events are a selection of a longer history, so numbers may be missing.
	slice   bool
	seq     int64
	last    Stamp
	streams map[string]*stream
	// made are the resources of which the driver created objects, by group.
	made map[string]map[string]bool
}

// stream is one watch as the events tell it.
type stream struct {
	name, resource string
	// last is its last event; agreed the last place at which a consistent list agreed with the fold.
	last, agreed Stamp
	// rvs of the objects that exist by uid; gone: of the ends of those that do not any more. seen is where the last
	// event about an object that exists lies.
	rvs, gone map[string]string
	seen      map[string]Stamp
	// open is the gap that has not ended.
	open *Gap
	// closed: the closing list has been read.
	closed bool
}

// ListedObject is one element of a sync event's Object: a consistent list reduced to identity and version.
type ListedObject struct {
	UID string `json:"uid"`
	RV  string `json:"rv"`
}

// see takes an event that has been placed; err is what was wrong with it.
func (g *gapFinder) see(e *Event, at Stamp, err error) []*Gap {
	var out []*Gap
	add := func(resource string, from, to Stamp, why string, args ...any) *Gap {
		gap := &Gap{Resource: resource, From: from, To: to, Why: fmt.Sprintf(why, args...)}
		out = append(out, gap)
		return gap
	}
	if !g.slice && e.Seq != g.seq+1 {
		add("", g.last, at, "events %d to %d are missing", g.seq+1, e.Seq-1)
	}
	g.seq, g.last = e.Seq, at
	if e.Verb == VerbCreate && e.isRequest() && e.Action.Response.OK() {
		g.note(e)
	}
	if e.Resource == "" || e.Action != nil || e.Origin == Driver || e.Origin == Sampling {
		return out
	}
	s := g.stream(e)
	before := s.last
	s.last = at
	if err != nil {
		add(s.resource, before, at, "%v", err)
	}
	if had, ok := s.rvs[e.UID]; ok && e.isObject() && e.Prev != "" && e.Prev != had {
		add(s.resource, s.seen[e.UID], at, "event %d patches resource version %s of %s/%s (uid %s), and the last event told of %s: events in between are missing",
			e.Seq, e.Prev, e.Namespace, e.Name, e.UID, orElse(had, "none"))
	}
	switch {
	case e.Verb == VerbError:
		if s.open == nil {
			s.open = add(s.resource, before, Stamp{}, "the watch broke: %s", orElse(e.Name, "no reason recorded"))
		}
		return out
	case e.Verb == VerbSync:
		differ, lerr := s.compare(e)
		switch {
		case lerr != nil:
			add(s.resource, s.agreed, at, "event %d: the consistent list cannot be read: %v", e.Seq, lerr)
		case differ != "":
			add(s.resource, s.agreed, at, "the consistent list at event %d differs from what the events add up to: %s", e.Seq, differ)
		}
		s.agreed = at
		s.closed = s.closed || e.Origin == Closing
	case e.Origin == Relist && s.open == nil:
		s.open = add(s.resource, before, Stamp{}, "the resource was listed again")
	}
	if s.open != nil && (e.Verb == VerbSync || e.Origin != Relist) {
		s.open.To, s.open = at, nil
	}
	s.fold(e, at)
	return out
}

func (g *gapFinder) stream(e *Event) *stream {
	s := g.streams[e.Stream]
	if s == nil {
		s = &stream{name: e.Stream, resource: e.ResourceName(), rvs: map[string]string{}, gone: map[string]string{},
			seen: map[string]Stamp{}}
		g.streams[e.Stream] = s
	}
	return s
}

func (s *stream) fold(e *Event, at Stamp) {
	switch {
	case !e.isObject():
	case e.Verb == VerbDeleted:
		delete(s.rvs, e.UID)
		delete(s.seen, e.UID)
		s.gone[e.UID] = e.RV
	default:
		s.rvs[e.UID], s.seen[e.UID] = e.RV, at
	}
}

// compare says how the consistent list of a sync event differs from the objects the events left; empty for not at
// all. Objects whose last event is younger than the list may have been received before it was written.
func (s *stream) compare(e *Event) (string, error) {
	var list []ListedObject
	if err := json.Unmarshal(e.Object, &list); err != nil {
		return "", err
	}
	at := revision(e.RV)
	younger := func(rv string) bool { return at > 0 && revision(rv) > at }
	listed := make(map[string]bool, len(list))
	for _, o := range list {
		listed[o.UID] = true
		got, ok := s.rvs[o.UID]
		switch {
		case !ok && younger(s.gone[o.UID]):
		case !ok:
			return fmt.Sprintf("uid %s (resource version %s) is listed and no event tells of it", o.UID, o.RV), nil
		case got != o.RV && !younger(got):
			return fmt.Sprintf("uid %s is listed with resource version %s, its last event has %s", o.UID, o.RV, got), nil
		}
	}
	var gone []string
	for uid, rv := range s.rvs {
		if !listed[uid] && !younger(rv) {
			gone = append(gone, uid)
		}
	}
	if len(gone) > 0 {
		return fmt.Sprintf("%d objects are not listed any more and no event tells of their end, among them uid %s", len(gone), slices.Min(gone)), nil
	}
	return "", nil
}

// finish returns the gaps of streams without a closing list. Each begins where a consistent list last agreed with the
// events, and not where the record ends: nothing confirms what came after that, since events may have been lost in the
// middle as well as at the end.
func (g *gapFinder) finish() []*Gap {
	var out []*Gap
	for _, s := range g.streams {
		if !s.closed {
			out = append(out, &Gap{Resource: s.resource, From: s.agreed,
				Why: "the record ends without a closing list: it may have been cut off, and nothing confirms its events"})
		}
	}
	for _, resource := range g.untold() {
		out = append(out, &Gap{Resource: resource,
			Why: "the driver created objects of it and no event of its watch is there"})
	}
	slices.SortFunc(out, func(a, b *Gap) int { return strings.Compare(a.Resource, b.Resource) })
	return out
}

func (g *gapFinder) note(e *Event) {
	if g.made[e.Group] == nil {
		g.made[e.Group] = map[string]bool{}
	}
	g.made[e.Group][e.ResourceName()] = true
}

// untold are resources that the driver made objects of and whose watch is missing altogether. Not everything a driver
// makes is recorded (namespaces, or the built-in controllers of apps and batch, of which only the pods and groups matter);
// pods and nodes always are, and of an API group with a domain name, where gangs are kept, either nothing is or whatever
// scenarios use of it. Of devices only the claims are recorded: what there is to claim does not change unless the driver
// changes it, and there may be tens of thousands.
func (g *gapFinder) untold() []string {
	watched, groups := map[string]bool{}, map[string]bool{}
	for _, s := range g.streams {
		watched[s.resource] = true
		_, group, _ := strings.Cut(s.resource, ".")
		groups[group] = true
	}
	var out []string
	for group, resources := range g.made {
		for r := range resources {
			recorded := r == "pods" || r == "nodes" || strings.Contains(group, ".") && groups[group] &&
				(group != claimsGroup || r == claimsResource+"."+claimsGroup)
			if recorded && !watched[r] {
				out = append(out, r)
			}
		}
	}
	return out
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
