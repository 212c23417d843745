package undertest

import (
	"math"
	"testing"
	"time"
)

// Whatever the timers do, the share comes out.
func TestHandicapComesOut(t *testing.T) {
	for _, share := range []float64{0.02, 0.1, 0.5, 0.9} {
		var elapsed, halted time.Duration
		for i := range 2000 {
			late := time.Duration(i%7) * time.Millisecond / 3
			elapsed += time.Duration(float64(handicapRound)*(1-share)) + late
			d := due(elapsed, halted, share)
			if d > 0 {
				d += late
			}
			elapsed, halted = elapsed+d, halted+d
		}
		if have := float64(halted) / float64(elapsed); math.Abs(have-share) > 0.005 {
			t.Errorf("halted for %.4f of the time, want %.2f", have, share)
		}
	}
}

func TestHandicapIsAShare(t *testing.T) {
	for _, bad := range []float64{-0.1, 0.95, 1, math.NaN(), math.Inf(1)} {
		if err := (Options{Handicap: bad}).Check(nil); err == nil {
			t.Errorf("%v was accepted", bad)
		}
	}
	if err := (Options{Handicap: 0.1, Args: []string{"--v=4"}}).Check(nil); err != nil {
		t.Error(err)
	}
	for _, o := range []Options{{Exec: "/bin/sh", Handicap: 0.1}, {Exec: "/bin/sh", Args: []string{"-c"}}, {Scheduler: None, Handicap: 0.1}} {
		if err := o.Check(nil); err == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
}

// The ceiling can be asked for, but nobody is told to.
func TestCeilingIsHidden(t *testing.T) {
	if err := (Options{Scheduler: Ceiling}).Check(nil); err != nil {
		t.Error(err)
	}
	for _, k := range Kinds() {
		if k == Ceiling {
			t.Error("the ceiling is listed among the schedulers to choose from")
		}
	}
	if p, ok := BuiltinProfile(Ceiling); !ok || p.SchedulerNames[0] != "default-scheduler" {
		t.Errorf("profile %+v, %v", p, ok)
	}
}
