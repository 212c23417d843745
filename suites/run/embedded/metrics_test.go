package embedded

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"muster/fakes/undertest"
	"muster/suites"
	"muster/suites/run"
)

// told is a scheduler that serves metrics at a URL.
type told struct {
	run.Scheduler
	url string
}

func (s told) MetricsURL() string { return s.url }

func TestMetricsAreReadWhereTheyAre(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("a 1\nb 2\n"))
	}))
	defer s.Close()
	w, c := &World{}, server{url: s.URL}
	got, err := w.Metrics(c, told{url: s.URL}).Read(t.Context(), suites.Scheduler, func(name string) bool { return name == "b" })
	if err != nil || len(got) != 1 || got["b"] != 2 {
		t.Errorf("%v, %v", got, err)
	}
	for _, of := range []struct {
		process   string
		scheduler run.Scheduler
	}{{suites.Scheduler, nil}, {suites.Scheduler, told{}}, {suites.ControllerManager, told{url: s.URL}}} {
		if _, err := w.Metrics(c, of.scheduler).Read(context.Background(), of.process, func(string) bool { return true }); err == nil || !strings.Contains(err.Error(), of.process) {
			t.Errorf("%s of nobody knows where: %v", of.process, err)
		}
	}
}

func TestWhoTellsMetrics(t *testing.T) {
	profile := undertest.Profile{Name: "mine", Metrics: "http://127.0.0.1:1/metrics"}
	for _, tt := range []struct {
		o    undertest.Options
		want bool
	}{
		{undertest.Options{}, true}, {undertest.Options{Scheduler: undertest.Reference}, true}, {undertest.Options{Scheduler: "mutant:x"}, true},
		{undertest.Options{Scheduler: undertest.None}, false}, {undertest.Options{Exec: "run"}, false}, {undertest.Options{Exec: "run", Profile: profile}, true},
	} {
		if got := (&World{Scheduling: tt.o}).TellsMetrics(); got != tt.want {
			t.Errorf("%+v: %t", tt.o, got)
		}
	}
}
