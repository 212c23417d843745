package record

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"muster/suites/history"
)

func TestActionsAndSamples(t *testing.T) {
	b := startBench(t)
	wall, mono := b.rec.Now()
	raw := json.RawMessage(`{"kind":"Pod","spec":{"containers":[{"env":[{"name":"A","value":"hidden"}]}]}}`)
	action := &history.Action{Scenario: "s", Label: "l", SentWall: wall, SentMono: mono,
		Response: history.Response{Code: 201, RV: "77", Object: raw}}
	f := b.rec.Action(history.Event{Verb: history.VerbCreate, Resource: "pods", Object: raw, Action: action})
	if f.Seq == 0 || f.At.IsZero() || f.Origin != history.Driver || f.Stream != "driver:s" || f.Mono < mono {
		t.Errorf("recorded %+v", f)
	}
	if !strings.Contains(string(action.Response.Object), "hidden") {
		t.Error("the caller's own action was changed")
	}
	b.rec.Action(history.Event{Verb: history.VerbCreate, Resource: "secrets", Action: &history.Action{Scenario: "s"},
		Object: json.RawMessage(`{"kind":"Secret","data":{"x":"hidden"},"stringData":{"y":"hidden"}}`)})
	b.rec.Action(history.Event{Verb: history.VerbPatch, Action: &history.Action{}, Patch: json.RawMessage(`hidden, no JSON`)})
	b.rec.Action(history.Event{Verb: history.VerbMark, Name: "m"})
	b.rec.Sample(history.VerbProcess, history.Sample{Process: "scheduler", RSS: 5})
	h := b.close()
	if strings.Contains(b.out.String(), "hidden") {
		t.Error("a secret or an environment value is stored")
	}
	v := view(h)
	if m, ok := v.Mark("m"); !ok || m.Order>>20 != 77 {
		t.Errorf("the mark lies at %v, want behind the driver's response", m)
	}
	if r, ok := v.Try("l"); !ok || r.Code != 201 {
		t.Errorf("response %+v", r)
	}
	if f := b.rec.Action(history.Event{Verb: history.VerbMark, Name: "late"}); f.Seq != 0 {
		t.Errorf("recorded after the end: %+v", f)
	}
}

func TestFullDisk(t *testing.T) {
	told := make(chan error, 10)
	b := startBench(t, func(o *Options) {
		o.Out = &buffer{room: 4096}
		o.FlushEvery = time.Millisecond
		o.OnError = func(err error) { told <- err }
	})
	sub := b.rec.Subscribe()
	for i := range 40 {
		b.rec.Action(history.Event{Verb: history.VerbMark, Name: fmt.Sprint(i, strings.Repeat("x", 5000))})
	}
	err := <-told
	if !strings.Contains(err.Error(), "no space left") || b.rec.Err() == nil {
		t.Errorf("told %v, Err %v", err, b.rec.Err())
	}
	b.rec.Action(history.Event{Verb: history.VerbMark, Name: "after"})
	seen := ""
	for seen != "after" {
		events, err := sub.Next(b.ctx)
		if err != nil {
			t.Fatalf("the live view ended with the disk: %v", err)
		}
		seen = events[len(events)-1].Name
	}
	if err := b.rec.Close(b.ctx); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("Close: %v", err)
	}
	if len(told) != 0 {
		t.Errorf("told again: %v", <-told)
	}
}
