package embedded

import (
	"maps"
	"testing"

	"muster/fakes/cluster"
	"muster/fakes/undertest"
)

// A scheduler's gates are those of the control plane, under those it has in every cluster, under those of the scenario; and
// the report says so of this cluster alone.
func TestGatesLieOverOneAnother(t *testing.T) {
	always := map[string]bool{"WorkloadWithJob": false, "CompositePodGroup": true}
	w := &World{Scheduling: undertest.Options{Gates: maps.Clone(always), Dir: t.TempDir()}}
	c := server{url: "http://127.0.0.1:1", gates: cluster.DefaultGates()}
	for i, tt := range []struct{ own, on map[string]bool }{
		{nil, map[string]bool{"GenericWorkload": true, "WorkloadWithJob": false, "CompositePodGroup": true, "PodGroupPreemptionPolicy": true}},
		{map[string]bool{"CompositePodGroup": false},
			map[string]bool{"GenericWorkload": true, "WorkloadWithJob": false, "CompositePodGroup": false, "PodGroupPreemptionPolicy": true}},
		{map[string]bool{"PodGroupPreemptionPolicy": false},
			map[string]bool{"GenericWorkload": true, "WorkloadWithJob": false, "CompositePodGroup": true, "PodGroupPreemptionPolicy": false}},
	} {
		w.started = append(w.started, About{})
		s, err := w.GatedScheduler(t.Context(), c, tt.own)
		if err != nil {
			t.Fatal(err)
		}
		for gate, want := range tt.on { // none of them is on by default
			if got := w.started[i].SchedulerGates[gate]; got != want {
				t.Errorf("with %v: %s is %t, want %t", tt.own, gate, got, want)
			}
		}
		if !maps.Equal(w.Scheduling.Gates, always) {
			t.Errorf("with %v: other clusters' schedulers would have the gates %v", tt.own, w.Scheduling.Gates)
		}
		if err := s.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if !w.TakesGates() || (&World{Scheduling: undertest.Options{Scheduler: undertest.Reference}}).TakesGates() {
		t.Error("kube-scheduler takes gates, the reference scheduler none")
	}
}
