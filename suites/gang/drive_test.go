package gang

import (
	"testing"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/kit/kittest"
	"muster/workloads/build"
)

func TestDrives(t *testing.T) {
	kittest.Drives(t, "gang", inFull(), "gang-scheduler-restart-half-bound", "later")
}

// A place without room is refused before anything is created, in words that say what is missing.
func TestSlotsRefuseTooLittleRoom(t *testing.T) {
	if n, err := slots(twoSlots{}, mainPool, 2); n != 2 || err != nil {
		t.Errorf("two slots: %d, %v", n, err)
	}
	if _, err := slots(twoSlots{}, mainPool, 3); err == nil {
		t.Error("three of two slots are taken for granted")
	}
}

// twoSlots is an Env with a pool of two places.
type twoSlots struct{ suites.Env }

func (twoSlots) Pool(name string) suites.Pool { return twoPlaces{} }

type twoPlaces struct{ suites.Pool }

func (twoPlaces) Name() string          { return mainPool }
func (twoPlaces) Spec() nodes.Pool      { return single(mainPool, 2) }
func (twoPlaces) Slots(build.Shape) int { return 2 }
