package run

import (
	"context"
	"maps"
	"testing"

	"muster/fakes/cluster"
	"muster/suites"
	"muster/suites/run/fold"
)

// gateWorld has a scheduler that takes gates, or says that it takes none.
type gateWorld struct {
	*world
	takes bool
	given []map[string]bool
}

func (w *gateWorld) TakesGates() bool { return w.takes }
func (w *gateWorld) GatedScheduler(_ context.Context, _ cluster.Cluster, gates map[string]bool) (Scheduler, error) {
	w.given = append(w.given, gates)
	return w.sched, nil
}

// gated is a scenario that wants gates for the scheduler alone.
func gated() suites.Scenario {
	s := one("gated", suites.OwnCluster, nil)
	s.Needs.SchedulerGates = map[string]bool{"CompositePodGroup": false}
	return s
}

func TestGatesOfTheSchedulerAlone(t *testing.T) {
	w := &gateWorld{world: newWorld(), takes: true}
	o := run(t, t.Context(), w, nil, gated(), one("apart", suites.OwnCluster, nil))
	if o.err != nil {
		t.Fatal(o.err)
	}
	o.want(t, "gated", fold.Executed, "")
	o.want(t, "apart", fold.Executed, "")
	want := map[string]bool{"CompositePodGroup": false}
	if len(w.given) != 1 || !maps.Equal(w.given[0], want) {
		t.Errorf("of three schedulers one was to have gates; they were given %v", w.given)
	}
	for name, c := range w.clusters {
		if len(c.gates) > 0 {
			t.Errorf("the control plane of %s has the gates %v", name, c.gates)
		}
	}
	for name, header := range o.headers {
		if got := header.SchedulerGates; (name == "gated") != maps.Equal(got, want) || name != "gated" && len(got) > 0 {
			t.Errorf("the record of %s says that its scheduler has the gates %v", name, got)
		}
	}
	if len(o.headers) != 3 {
		t.Errorf("%d records", len(o.headers))
	}
}

// Where the scheduler takes no gates, no cluster is started for it.
func TestSchedulersThatTakeNoGates(t *testing.T) {
	deaf := &gateWorld{world: newWorld()}
	for name, w := range map[string]World{"says so": deaf, "is of a world that knows none": newWorld()} {
		t.Run(name, func(t *testing.T) {
			o := run(t, t.Context(), w, nil, gated())
			if o.err != nil {
				t.Fatal(o.err)
			}
			o.want(t, "gated", fold.Unsupported, "takes no feature gates")
			if len(o.headers) != 1 {
				t.Errorf("%d records", len(o.headers))
			}
		})
	}
	if len(deaf.given) > 0 {
		t.Errorf("it was given %v", deaf.given)
	}
}
