package topology

import (
	"testing"

	"muster/suites/kit/kittest"
)

func TestDrives(t *testing.T) {
	kittest.Drives(t, "topology", inFull(), "topology-preemption-hopeless")
}
