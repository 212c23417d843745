package history

import (
	"bytes"
	"testing"
)

// FuzzWhole: reading for the whole view alone accepts what Read accepts, refuses what it refuses, with the same words,
// and sees as much.
func FuzzWhole(f *testing.F) {
	f.Add([]byte(file(goodHeader, goodEvent(1), goodEvent(2))))
	f.Add([]byte(file(goodHeader, goodEvent(1)) + goodEvent(2)[:40]))
	f.Add([]byte(file(goodHeader, `{"seq":1,"stream":"w","origin":"closing","wall":"2026-09-01T12:00:00Z","mono":1,"resource":"pods","verb":"sync","object":[{"uid":"a","rv":"1"}]}`)))
	f.Add([]byte(file(goodHeader, goodEvent(1), `{"seq":2,"stream":"watch:pods","origin":"watch","wall":"2026-09-01T12:00:00Z","mono":1,"resource":"pods","verb":"modified","uid":"u1","rv":"7","patch":{"spec":{"nodeName":"n"}}}`)))
	f.Add([]byte(file(goodHeader)))
	f.Fuzz(func(t *testing.T, data []byte) {
		kept, err := Read(bytes.NewReader(data), "fuzz")
		whole, werr := readWhole(data)
		if (err == nil) != (werr == nil) || err != nil && err.Error() != werr.Error() {
			t.Fatalf("%v when events are kept, %v when not", err, werr)
		}
		if err != nil {
			return
		}
		a, b := NewView(kept, toy{}, Scope{}), NewView(whole, toy{}, Scope{})
		if len(a.Pods) != len(b.Pods) || len(a.Nodes) != len(b.Nodes) || len(a.Gangs) != len(b.Gangs) ||
			len(a.Gaps) != len(b.Gaps) || len(a.Actions) != len(b.Actions) || kept.Length() != whole.Length() || a.Now() != b.Now() {
			t.Fatalf("the views differ: %d and %d pods, %d and %d gaps", len(a.Pods), len(b.Pods), len(a.Gaps), len(b.Gaps))
		}
	})
}

func readWhole(data []byte) (*History, error) {
	var h Header
	var w *Whole
	err := Scan(bytes.NewReader(data), "fuzz", &h, func(e *Event) {
		if w == nil {
			w = NewWhole(h, "fuzz", toy{})
		}
		w.Add(e)
	})
	if err != nil {
		return nil, err
	}
	if w == nil {
		w = NewWhole(h, "fuzz", toy{})
	}
	return w.History(), nil
}

func TestReadHeader(t *testing.T) {
	h, err := ReadHeader(bytes.NewReader([]byte(file(goodHeader, goodEvent(1)))))
	if err != nil || h.Kind != HeaderKind {
		t.Errorf("%+v, %v", h, err)
	}
	if _, err := ReadHeader(bytes.NewReader([]byte("{}\n"))); err == nil {
		t.Error("what is no history has a header")
	}
}
