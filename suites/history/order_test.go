package history

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Short forms of events for orders.
func seenAt(rv int64) Event {
	return Event{Origin: Watch, Verb: VerbModified, Resource: "pods", RV: strconv.FormatInt(rv, 10)}
}
func did(sent int, rv int64) Event {
	a := &Action{SentMono: time.Duration(sent) * time.Second}
	if rv > 0 {
		a.Response.RV = strconv.FormatInt(rv, 10)
	}
	return Event{Origin: Driver, Verb: VerbPatch, Action: a}
}
func marked() Event  { return Event{Origin: Driver, Verb: VerbMark, Action: &Action{}} }
func sampled() Event { return Event{Origin: Sampling, Verb: VerbProcess, Sample: &Sample{}} }

// placed gives each event its place; they are one second apart.
func placed(s Storage, events []Event) []int64 {
	o := newOrdering(s)
	out := make([]int64, len(events))
	for i := range events {
		e := events[i]
		e.Seq = int64(i + 1)
		e.Mono = time.Duration(i+1) * time.Second
		out[i] = o.place(&e)
	}
	return out
}

func TestOrder(t *testing.T) {
	for _, c := range []struct {
		name    string
		storage Storage
		events  []Event
		// want is the events' indices in order.
		want []int
	}{
		{"watches overtake one another", SingleEtcd, []Event{seenAt(7), seenAt(5), seenAt(6)}, []int{1, 2, 0}},
		{"elsewhere receipt counts", UnknownStorage, []Event{seenAt(7), seenAt(5), marked()}, []int{0, 1, 2}},
		{"a mark lies after all that was received", SingleEtcd, []Event{seenAt(7), marked(), seenAt(8)}, []int{0, 1, 2}},
		{"what was committed before a mark lies before it", SingleEtcd, []Event{seenAt(7), marked(), seenAt(6)}, []int{2, 0, 1}},
		{"a mark lies after the driver's last response", SingleEtcd,
			[]Event{seenAt(5), did(1, 9), marked(), seenAt(8), seenAt(9), seenAt(10)}, []int{0, 3, 4, 1, 2, 5}},
		{"an action lies behind the object's own event", SingleEtcd, []Event{seenAt(9), did(0, 9), seenAt(10)}, []int{0, 1, 2}},
		{"also when that is received later", SingleEtcd, []Event{did(0, 9), seenAt(9), seenAt(10)}, []int{1, 0, 2}},
		{"a slow answer lies where it was committed", SingleEtcd, []Event{seenAt(8), seenAt(12), did(1, 10)}, []int{0, 2, 1}},
		{"a change of nothing lies after what was known when it was sent", SingleEtcd,
			[]Event{seenAt(3), seenAt(8), seenAt(12), did(2, 3)}, []int{0, 1, 3, 2}},
		{"a refusal lies where it was received", SingleEtcd, []Event{seenAt(8), did(0, 0), seenAt(9)}, []int{0, 1, 2}},
		{"samples and marks keep their order", SingleEtcd, []Event{seenAt(8), sampled(), marked(), sampled(), seenAt(9)}, []int{0, 1, 2, 3, 4}},
		{"a version that is no number is placed by receipt", SingleEtcd,
			[]Event{seenAt(8), {Origin: Watch, Verb: VerbAdded, RV: "opaque"}, seenAt(9)}, []int{0, 1, 2}},
		{"lists tell of old versions", SingleEtcd, []Event{
			{Origin: List, Verb: VerbAdded, RV: "90"}, {Origin: List, Verb: VerbAdded, RV: "20"}, marked()}, []int{1, 0, 2}},
		{"a list reaches further than its objects", SingleEtcd, []Event{
			{Origin: List, Verb: VerbAdded, RV: "20"}, {Origin: List, Verb: VerbSync, RV: "90"}, marked(), seenAt(89), seenAt(91)}, []int{0, 3, 1, 2, 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			places := placed(c.storage, c.events)
			for i := 1; i < len(c.want); i++ {
				if places[c.want[i-1]] >= places[c.want[i]] {
					t.Errorf("event %d lies at %s, not before event %d at %s", c.want[i-1], where(places[c.want[i-1]]), c.want[i], where(places[c.want[i]]))
				}
			}
		})
	}
}

func where(place int64) string { return fmt.Sprintf("%d+%d", place>>subBits, place&maxSub) }

// Whatever comes in whatever order: object events lie at their revision; a mark lies after everything received or
// answered before it and before everything committed later than that; places are never given twice to events without
// a revision.
func TestOrderHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var events []Event
		for i := range rapid.IntRange(1, 40).Draw(t, "events") {
			rv := rapid.Int64Range(1, 60).Draw(t, "rv")
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				events = append(events, marked())
			case 1:
				events = append(events, did(rapid.IntRange(0, i).Draw(t, "sent"), rv))
			case 2:
				events = append(events, sampled())
			default:
				events = append(events, seenAt(rv))
			}
		}
		places := placed(SingleEtcd, events)
		var top int64
		taken := map[int64]bool{}
		var lastMark int64
		for i, e := range events {
			at := places[i]
			switch {
			case e.isObject():
				rv := revision(e.RV)
				if at != rv<<subBits {
					t.Fatalf("event %d of revision %d lies at %s", i, rv, where(at))
				}
				top = max(top, rv)
				continue
			case e.isRequest():
				if at>>subBits < revision(e.Action.Response.RV) {
					t.Fatalf("action %d answered with %s lies at %s", i, e.Action.Response.RV, where(at))
				}
				top = max(top, revision(e.Action.Response.RV))
			default:
				if at>>subBits != top || at <= lastMark {
					t.Fatalf("event %d lies at %s, want behind %d and after %s", i, where(at), top, where(lastMark))
				}
				lastMark = at
			}
			if taken[at] {
				t.Fatalf("place %s was given twice", where(at))
			}
			taken[at] = true
		}
	})
}

func TestStampOrder(t *testing.T) {
	var never Stamp
	a, b := Stamp{Order: 1, Seq: 2}, Stamp{Order: 2, Seq: 1}
	for _, c := range []struct {
		name          string
		s, o          Stamp
		before, after bool
	}{
		{"by order, not by receipt", a, b, true, false},
		{"itself", a, a, false, false},
		{"never lies after everything", a, never, true, false},
		{"never is before nothing", never, a, false, true},
		{"never and never", never, never, false, false},
	} {
		if got := c.s.Before(c.o); got != c.before {
			t.Errorf("%s: Before = %t", c.name, got)
		}
		if got := c.s.After(c.o); got != c.after {
			t.Errorf("%s: After = %t", c.name, got)
		}
	}
}
