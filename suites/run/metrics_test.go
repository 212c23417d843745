package run

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"muster/fakes/cluster"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/run/env"
	"muster/suites/run/fold"
)

// tellingWorld has a scheduler that says what it counts, or does not.
type tellingWorld struct {
	*world
	tells bool
}

func (w tellingWorld) TellsMetrics() bool { return w.tells }

func (w tellingWorld) Metrics(_ cluster.Cluster, s Scheduler) env.Metrics { return counter{s} }

type counter struct{ of Scheduler }

func (c counter) Read(context.Context, string, func(string) bool) (map[string]float64, error) {
	return map[string]float64{"n": 1}, nil
}

// A scenario that reads what the scheduler counts runs where it is known where that is; elsewhere it is not supported, and
// the reason says what is missing.
func TestReadingTheSchedulersMetrics(t *testing.T) {
	reads := one("reads", suites.Exclusive, func(ctx context.Context, e suites.Env) error {
		m, err := suites.MetricsOf(e)
		if err != nil {
			return err
		}
		return m.Read(ctx, "now", suites.Scheduler, "n")
	})
	reads.Needs.Capabilities = []string{suites.ReadSchedulerMetrics}
	for _, tt := range []struct {
		name string
		of   func(*world) World
		want fold.Status
	}{
		{"told", func(w *world) World { return tellingWorld{w, true} }, fold.Executed},
		{"not told", func(w *world) World { return tellingWorld{w, false} }, fold.Unsupported},
		{"no way", func(w *world) World { return w }, fold.Unsupported},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := run(t, t.Context(), tt.of(newWorld()), nil, reads)
				if o.err != nil || o.by["reads"].Status != tt.want {
					t.Fatalf("%v: %+v", o.err, o.by)
				}
				v := history.NewView(&history.History{Header: o.header, Events: o.events}, nil, history.Scope{Scenario: "reads"})
				if _, _, ok := v.Metrics("now"); ok != (tt.want == fold.Executed) {
					t.Errorf("recorded: %t", ok)
				}
				if tt.want == fold.Unsupported && !strings.Contains(o.by["reads"].Reason, "profile") {
					t.Errorf("it says why: %+v", o.by["reads"])
				}
			})
		})
	}
}
