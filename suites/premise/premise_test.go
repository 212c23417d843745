package premise_test

import (
	"errors"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"muster/suites/history"
	"muster/suites/history/historytest"
	"muster/suites/premise"
)

// story: two nodes of 4 GPUs, a plain pod that holds 2 of them until it is gone, a gang of four that want 2 each.
func story() *historytest.Builder {
	return historytest.New().
		Nodes(2, historytest.Has("gpu=4")).
		Pod("filler", "", historytest.Wants("gpu=2")).Bind("filler", "node-0").
		Gang("g", 4).Pods("g", 4, historytest.Wants("gpu=2")).
		Mark("short").Wait(time.Minute).
		Gone("filler").Mark("freed")
}

func at(t *testing.T, v *history.View, mark string) history.Stamp {
	t.Helper()
	s, ok := v.Mark(mark)
	if !ok {
		t.Fatalf("no mark %s", mark)
	}
	return s
}

func TestRoom(t *testing.T) {
	v := story().View()
	g := v.Members("g")
	for mark, want := range map[string]int{"short": 3, "freed": 4} {
		n, err := premise.Room(v, at(t, v, mark), g)
		if err != nil || n != want {
			t.Errorf("%s: room for %d (%v), want %d", mark, n, err, want)
		}
		ok, err := premise.Fits(v, at(t, v, mark), g)
		if err != nil || ok != (want == 4) {
			t.Errorf("%s: fits %v (%v)", mark, ok, err)
		}
		short, err := premise.ShortByOne(v, at(t, v, mark), g, 4)
		if err != nil || short != (want == 3) {
			t.Errorf("%s: short by one %v (%v)", mark, short, err)
		}
		if ok, err := premise.WouldFitAlone(v, at(t, v, mark), g[0]); err != nil || !ok {
			t.Errorf("%s: one alone %v (%v)", mark, ok, err)
		}
	}
}

// The pods asked about are lifted out wherever they stand; others, bound or on their way out, stay.
func TestPodsAskedAboutAreLiftedOut(t *testing.T) {
	v := story().Bind("g-0", "node-0").Bind("g-1", "node-1").Deleting("g-1").Mark("two").View()
	g := v.Members("g")
	if n, err := premise.Room(v, at(t, v, "two"), g); err != nil || n != 4 {
		t.Errorf("all: %d (%v), want 4", n, err)
	}
	if n, err := premise.Room(v, at(t, v, "two"), g[2:]); err != nil || n != 2 {
		t.Errorf("the other two: %d (%v), want 2", n, err)
	}
	if n, err := premise.Room(v, at(t, v, "two"), append(g[2:3:3], g[3], v.Pod("filler"))); err != nil || n != 2 {
		t.Errorf("with the filler again: %d (%v), want 2", n, err)
	}
}

func TestNeverRoomAndFirstFeasible(t *testing.T) {
	v := story().Mark("end").View()
	g := v.Members("g")
	short, freed, end := at(t, v, "short"), at(t, v, "freed"), at(t, v, "end")
	tests := []struct {
		name     string
		from, to history.Stamp
		n        int
		want     bool
	}{
		{"while the filler is there", g[3].Created, short, 4, true},
		{"up to the end", short, end, 4, false},
		{"open end", short, history.Stamp{}, 4, false},
		{"a smaller quorum", g[0].Created, short, 3, false},
		{"afterwards", freed, end, 4, false},
	}
	for _, tt := range tests {
		got, err := premise.NeverRoom(v, tt.from, tt.to, g, tt.n)
		if err != nil || got != tt.want {
			t.Errorf("%s: never room %v (%v), want %v", tt.name, got, err, tt.want)
		}
	}
	first, err := premise.FirstFeasible(v, g, 4, g[0].Created)
	if err != nil || first != v.Pod("filler").Gone {
		t.Errorf("first feasible at %v (%v), want when the filler went (%v)", first, err, v.Pod("filler").Gone)
	}
	if s, err := premise.FirstFeasible(v, g, 5, g[0].Created); err != nil || !s.IsZero() {
		t.Errorf("five of four fit at %v (%v)", s, err)
	}
	if s, err := premise.FirstFeasible(v, g, 2, freed); err != nil || s != freed {
		t.Errorf("feasible from the start: %v (%v)", s, err)
	}
}

func TestTopologyOfTheGang(t *testing.T) {
	h := historytest.New().
		Node("a", historytest.NodeLabel("rack", "1"), historytest.Has("gpu=4")).
		Node("b", historytest.NodeLabel("rack", "2"), historytest.Has("gpu=2")).
		Gang("g", 2, historytest.OneDomain("rack")).Pods("g", 3, historytest.Wants("gpu=2")).Mark("free")
	v := h.View()
	if n, err := premise.Room(v, at(t, v, "free"), v.Members("g")); err != nil || n != 2 {
		t.Errorf("%d of three fit one rack (%v), want 2", n, err)
	}
	v = h.Bind("g-0", "b").Mark("bound").View()
	if n, err := premise.Room(v, at(t, v, "bound"), v.Members("g")[1:]); err != nil || n != 0 {
		t.Errorf("%d of the rest fit the rack of the bound member (%v), want 0", n, err)
	}
}

func TestUndecidable(t *testing.T) {
	v := historytest.New().Nodes(1).Pod("p", "", func(p *corev1.Pod) {
		p.Spec.Volumes = []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "c"}}}}
	}, historytest.Wants("cpu=65")).Mark("m").View()
	p := v.Members("")
	p = append(p, v.Pod("p"))
	if _, err := premise.Room(v, at(t, v, "m"), p); !errors.Is(err, premise.ErrUnmodelled) {
		t.Errorf("a pod with a claim: %v, want ErrUnmodelled", err)
	}
	// What does not fit without its volume does not fit with it.
	if ok, err := premise.NeverRoom(v, v.Begin, history.Stamp{}, p, 1); !ok || err != nil {
		t.Errorf("never room: %v (%v), want proven", ok, err)
	}
	if _, err := premise.Room(v, history.Stamp{}, p); !errors.Is(err, premise.ErrNoState) {
		t.Errorf("a place never reached: %v, want ErrNoState", err)
	}
}
