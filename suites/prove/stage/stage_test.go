package stage

import (
	"context"
	"slices"
	"testing"

	"muster/fakes/cluster"
)

// Who shares a control plane with others cannot restart its components; who has one of its own can.
func TestWhatIsLent(t *testing.T) {
	for _, alone := range []bool{false, true} {
		offered := (&lent{Embedded: &cluster.Embedded{}, alone: alone}).Capabilities()
		if got := slices.Contains(offered, cluster.RestartComponents); got != alone {
			t.Errorf("alone %t: components can be restarted: %t", alone, got)
		}
		if !slices.Contains(offered, cluster.CreateNodes) || slices.Contains(offered, cluster.RestartScheduler) ||
			slices.Contains(offered, cluster.ReadMetrics) {
			t.Errorf("alone %t: offered %v", alone, offered)
		}
	}
}

// Clusters are shared by those who ask for the same gates.
func TestKeys(t *testing.T) {
	a := keyOf(map[string]bool{"B": true, "A": false})
	if a != "A=false,B=true" || keyOf(nil) != "" || keyOf(map[string]bool{"A": true, "B": true}) == a {
		t.Errorf("keys %q, %q", a, keyOf(nil))
	}
}

// A control plane that was there for one trial is gone with it, and no other ever has its name.
func TestLeave(t *testing.T) {
	s := &Stage{Name: "s"}
	shared, alone := s.known("shared"), s.known("alone")
	if err := s.leave(context.Background(), alone); err != nil {
		t.Fatal(err)
	}
	next := s.known("next")
	if s.known("shared") != shared || s.known("alone") == alone {
		t.Error("the wrong control plane has gone")
	}
	if next.world.Name == shared.world.Name || next.world.Name == alone.world.Name {
		t.Errorf("%s is the name of two control planes", next.world.Name)
	}
}
