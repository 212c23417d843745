package scenario

import (
	"slices"
	"testing"
)

func atOwnSize(t *testing.T, name string) *Sized {
	t.Helper()
	s, err := Named(name)
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.At(Size{})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Another figure makes no other load of it.
func TestAnotherFigureIsNoOtherSubject(t *testing.T) {
	s := atOwnSize(t, "reclaim")
	by := s.By(SchedulerCPU)
	if by.Figure != SchedulerCPU || by.Subject() != Reclaim || s.Figure != Reclaim || s.Own != "" {
		t.Errorf("%s of %s; the first %s", by.Figure, by.Subject(), s.Figure)
	}
	if again := by.By(Solve); again.Figure != Solve || again.Subject() != Reclaim {
		t.Errorf("%s of %s", again.Figure, again.Subject())
	}
	if same := s.By(Reclaim); same.Own != "" || same.Shape() != by.Shape() {
		t.Errorf("%+v", same)
	}
}

// Every scenario has its own figure, and those that any load has.
func TestScenariosHaveTheirFigures(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		sized := atOwnSize(t, s.Name)
		for _, f := range []Figure{s.Figure, SchedulerCPU, Solve} {
			if err := sized.Has(f); err != nil {
				t.Error(err)
			}
		}
	}
	for name, without := range map[string][]Figure{
		"singles":           {GangReady, Reclaim, TimeToVerdict, Occupancy},
		"gangs-of-8":        {Reclaim, TimeToVerdict, Occupancy},
		"steady-gangs-of-8": {Throughput, Reclaim, TimeToVerdict, Occupancy},
		"reclaim":           {TimeToVerdict, Occupancy},
		"infeasible-gang":   {Reclaim, Occupancy},
	} {
		for _, f := range Figures {
			if err := atOwnSize(t, name).By(SchedulerCPU).Has(f); slices.Contains(without, f) != (err != nil) {
				t.Errorf("%s of %s: %v", f, name, err)
			}
		}
	}
}
