package premise

import (
	"muster/suites/history"
	"muster/suites/oracle"
)

// VictimsIn asks, of a state, which of the units have to go so that need of the pods can be placed. The units' pods are
// the state's own (PodState.Now).
func VictimsIn(s *history.State, pods []*history.Pod, need int, units []oracle.Unit) oracle.Victims {
	return oracle.Victims{Question: question(s, pods), Need: need, Units: units}
}
