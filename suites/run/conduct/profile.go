package conduct

import (
	"muster/fakes/undertest"
	"muster/suites/history"
)

// Profile is what is known about a scheduler, in the words of a history: its own profile's, the built-in kind's, or
// kube-scheduler's where neither is named.
func Profile(scheduling undertest.Options) (history.SchedulerProfile, error) {
	return profileOf(Options{Scheduling: scheduling})
}
