package record

import (
	"context"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/suites/history"
)

func TestRecord(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", "", "old", object{"status": object{"phase": "Running"}})
	b := startOn(t, a)
	if got := b.rec.Skipped(); len(got) != 1 || got[0].Resource != "jobs" {
		t.Errorf("skipped %v", got)
	}
	a.put("gangs", "ns", "g", object{"quorum": 2})
	a.put("pods", "ns", "a", spec(""))
	a.put("pods", "ns", "a", spec("old"))
	a.put("pods", "ns", "b", spec(""))
	// What came and went is in no list that closing could wait for.
	if err := b.rec.WaitFor(b.ctx, pods, a.delete("pods", "ns", "b")); err != nil {
		t.Fatal(err)
	}
	h := b.close()
	v := view(h)
	if len(v.Gaps) != 0 {
		t.Errorf("gaps %+v", v.Gaps)
	}
	if p := v.Pod("a"); p == nil || p.Node != "old" || !p.ByScheduler() {
		t.Errorf("pod a %+v", p)
	}
	if p := v.Pod("b"); p == nil || p.Gone.IsZero() || !p.Bound.IsZero() {
		t.Errorf("pod b %+v", p)
	}
	if v.Node("old") == nil || v.Gang("g") == nil || v.Gang("g").Quorum[0].Value != 2 {
		t.Errorf("node %v, gang %v", v.Node("old"), v.Gang("g"))
	}
	text := b.out.String()
	if strings.Contains(text, "secret-value") || !strings.Contains(text, "TOKEN") {
		t.Error("environment values are stored, or their names are not")
	}
	if !b.out.closed {
		t.Error("the file was not closed")
	}
	for _, e := range h.Events {
		if e.Verb == history.VerbModified && (e.Resource != "pods" || len(e.Patch) == 0 || len(e.Object) > 0) {
			t.Errorf("a change is not stored as a patch: %+v", e)
		}
	}
	if err := b.rec.Close(b.ctx); err != nil {
		t.Errorf("closing again: %v", err)
	}
}

func TestStartRefuses(t *testing.T) {
	a := newAPI(t)
	ctx := context.Background()
	for name, opts := range map[string]Options{
		"nothing":     {},
		"secrets":     {Config: a.config(), Out: &buffer{}, Resources: []schema.GroupVersionResource{{Version: "v1", Resource: "secrets"}}},
		"a full disk": {Config: a.config(), Out: &buffer{room: 1}},
	} {
		if _, err := Start(ctx, opts); err == nil {
			t.Errorf("%s: started", name)
		}
	}
	gone := newAPI(t)
	gone.server.Close()
	if _, err := Start(ctx, Options{Config: gone.config(), Out: &buffer{}}); err == nil || !strings.Contains(err.Error(), "starting the recorder") {
		t.Errorf("no server: %v", err)
	}
}
