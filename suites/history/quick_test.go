package history

import (
	"reflect"
	"testing"
)

// Lines of all kinds: what quick takes, and what it has to leave.
var quickLines = []struct {
	line  string
	taken bool
}{
	{`{"seq":1,"stream":"watch:pods","origin":"watch","wall":"2026-03-01T12:00:00.04Z","mono":40,"version":"v1","resource":"pods","verb":"added","name":"p","uid":"u","rv":"7","object":{"a":{"b":[1,-2,true,false,null,"x",[],{}]},"n":0}}`, true},
	{`{"seq":2,"stream":"s","origin":"watch","wall":"2026-03-01T12:00:00Z","mono":0,"verb":"modified","uid":"u","prev":"7","patch":{"a":null}}`, true},
	{`{"seq":3,"stream":"s","origin":"list","wall":"2026-03-01T12:00:00Z","mono":0,"verb":"sync","object":[]}`, false},
	{`{"seq":4,"verb":"x","object":{"a":1.5}}`, false},
	{`{"seq":4,"verb":"x","object":{"a":01}}`, false},
	{`{"seq":4,"verb":"x","object":{"a":-0}}`, false},
	{`{"seq":4,"verb":"x","object":{"a":1234567890123456789012}}`, false},
	{`{"seq":4,"verb":"x","object":{"a":"\u00e9"}}`, false},
	{`{"seq":4,"verb":"x","object":{"a":"é"}}`, false},
	{`{"seq":4,"verb":"x","object":{"a":1,"a":{"b":2}}}`, true},
	{`{"seq":4,"seq":5}`, false},
	{`{"seq":4,"object":{},"patch":{}}`, false},
	{`{"seq":4,"Seq":5}`, false},
	{`{"seq":4,"unknown":5}`, false},
	{`{"seq":4,"wall":"yesterday"}`, false},
	{`{"seq":4} `, false},
	{`{"seq":4`, false},
	{`{"seq":4,"action":{"response":{}}}`, false},
	{`{}`, false},
	{``, false},
}

func TestQuickTakesWhatItIsFor(t *testing.T) {
	q := newQuick()
	for _, l := range quickLines {
		if taken := q.event([]byte(l.line), &Event{}); taken != l.taken {
			t.Errorf("%s: taken %t", l.line, taken)
		}
		agree(t, q, []byte(l.line))
	}
}

// agree says that quick reads a line as strict and decode do, or leaves it alone.
func agree(t *testing.T, q *quick, line []byte) {
	t.Helper()
	var fast, slow Event
	if !q.event(line, &fast) {
		return
	}
	if err := strict(line, &slow); err != nil {
		t.Fatalf("%q was taken, and is wrong: %v", line, err)
	}
	raw := slow.Object
	if len(raw) == 0 {
		raw = slow.Patch
	}
	if len(raw) > 0 {
		body, err := decode(raw)
		if err != nil {
			t.Fatalf("%q was taken, and its object is wrong: %v", line, err)
		}
		slow.body = body
	}
	if !reflect.DeepEqual(fast, slow) {
		t.Fatalf("%q:\n%+v\nwas read, and it is\n%+v", line, fast, slow)
	}
}

// Whatever the line, quick agrees with the slow way or leaves it to it, also when it has read other lines before.
func FuzzQuick(f *testing.F) {
	for _, l := range quickLines {
		f.Add([]byte(l.line))
	}
	q := newQuick()
	f.Fuzz(func(t *testing.T, line []byte) { agree(t, q, line) })
}
