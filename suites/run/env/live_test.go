package env

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"muster/suites/history"
	"muster/suites/history/record"
)

// recorded is a recorder of an empty cluster in which nothing happens but what the driver does.
func recorded(t *testing.T) Recorded {
	t.Helper()
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kinds := map[string]string{"/api/v1/pods": "Pod", "/api/v1/nodes": "Node"}
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.URL.Path == "/api/v1":
			_, _ = fmt.Fprint(w, `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"v1","resources":[`+
				`{"name":"pods","kind":"Pod","namespaced":true,"verbs":["list","watch"]},{"name":"nodes","kind":"Node","verbs":["list","watch"]}]}`)
		case kinds[r.URL.Path] == "":
			w.WriteHeader(http.StatusNotFound)
		case r.URL.Query().Get("watch") != "":
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		case strings.Contains(r.Header.Get("Accept"), "PartialObjectMetadata"):
			_, _ = fmt.Fprint(w, `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"1"},"items":[]}`)
		default:
			_, _ = fmt.Fprintf(w, `{"kind":"%sList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[]}`, kinds[r.URL.Path])
		}
	}))
	t.Cleanup(api.Close)
	rec, err := record.Start(t.Context(), record.Options{
		Config: &rest.Config{Host: api.URL}, Out: &bytes.Buffer{}, Header: history.Header{Cluster: "c", Storage: history.SingleEtcd},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = rec.Close(ctx)
	})
	return Recorded{Recorder: rec}
}

func mark(scenario, name string) history.Event {
	return history.Event{Verb: history.VerbMark, Name: name, Action: &history.Action{Scenario: scenario}}
}

func marked(name string) func(*history.View) bool {
	return func(v *history.View) bool { _, ok := v.Mark(name); return ok }
}

func TestLiveViewFollowsTheRecord(t *testing.T) {
	r := recorded(t)
	l := r.Follow(history.Scope{Scenario: "s", Namespaces: []string{"s"}})
	defer l.Close()
	// Many wait at once, for marks in either order; marks of another scenario wake nobody.
	held := make(chan bool, 3)
	for _, name := range []string{"a", "b", "b"} {
		go func() { held <- l.Until(t.Context(), marked(name)) }()
	}
	r.Action(mark("other", "a"))
	r.Action(mark("s", "b"))
	for range 2 {
		if !<-held {
			t.Error("b was not seen")
		}
	}
	select {
	case <-held:
		t.Error("a mark of another scenario was taken for this one's")
	default:
	}
	r.Action(mark("s", "a"))
	if !<-held {
		t.Error("a was not seen")
	}
	if !l.Until(t.Context(), marked("a")) {
		t.Error("what holds already is not seen")
	}
	seen := false
	l.Look(func(v *history.View) { seen = marked("b")(v) })
	if !seen {
		t.Error("b cannot be looked at")
	}
}

// A condition that holds after one event and no more after the next is seen, however close they follow.
func TestLiveViewMissesNoInstant(t *testing.T) {
	r := recorded(t)
	l := r.Follow(history.Scope{Scenario: "s", Namespaces: []string{"s"}})
	defer l.Close()
	exactly := func(n int) func(*history.View) bool { return func(v *history.View) bool { return len(v.Actions) == n } }
	held := make(chan bool, 1)
	ready := make(chan struct{})
	go func() {
		first := true
		held <- l.Until(t.Context(), func(v *history.View) bool {
			if first {
				first = false
				close(ready)
			}
			return exactly(50)(v)
		})
	}()
	<-ready
	for i := range 100 {
		r.Action(mark("s", fmt.Sprint(i)))
	}
	if !<-held {
		t.Error("the instant was missed")
	}
}

func TestLiveViewGivesUpAndPassesPanicsOn(t *testing.T) {
	r := recorded(t)
	l := r.Follow(history.Scope{Scenario: "s", Namespaces: []string{"s"}})
	defer l.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if l.Until(ctx, marked("never")) {
		t.Error("held")
	}
	defer func() {
		if recover() != "a mistake in a condition" {
			t.Error("the panic of a condition did not reach who gave it")
		}
	}()
	go r.Action(mark("s", "x"))
	l.Until(t.Context(), func(v *history.View) bool {
		if marked("x")(v) {
			panic("a mistake in a condition")
		}
		return false
	})
}
