package preemption

import (
	"testing"

	"muster/suites/kit/kittest"
)

func TestDrives(t *testing.T) { kittest.Drives(t, "preemption", inFull(), "preemption-not-needed") }
