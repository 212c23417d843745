package composite

import (
	"testing"

	"muster/suites/kit/kittest"
)

func TestDrives(t *testing.T) { kittest.Drives(t, "composite", inFull(), "composite-budgets") }
