package check

import (
	"testing"
	"time"

	. "muster/suites/history/historytest"
)

func TestSatisfiedIsFinal(t *testing.T) {
	both := func() *Builder { return half(gpus(2), "g", 2, 2).Bind("g-0", "node-0").Bind("g-1", "node-0") }
	try(t, satisfiedIsFinal, []told{
		{"never True", both().Satisfied("g", "False", "Unschedulable").Wait(settled), nothing},
		{"nothing said", both().Wait(settled), nothing},
		{"True", both().Satisfied("g", "True", "Scheduled").Wait(settled), pass},
		{"False, then True", both().Satisfied("g", "False", "Unschedulable").Satisfied("g", "True", "Scheduled").Wait(settled), pass},
		{"True again is no change", both().Satisfied("g", "True", "Scheduled").Satisfied("g", "True", "Scheduled").Wait(settled), pass},
		{"True, and the members are lost", both().Satisfied("g", "True", "Scheduled").Gone("g-0", "g-1").Wait(settled), pass},
		{"back to False", both().Satisfied("g", "True", "Scheduled").Satisfied("g", "False", "Unschedulable").Wait(time.Second), fail},
		{"back to Unknown", both().Satisfied("g", "True", "Scheduled").Satisfied("g", "Unknown", "").Wait(time.Second), fail},
		{"back to False for a moment", both().Satisfied("g", "True", "Scheduled").Satisfied("g", "False", "Unschedulable").Satisfied("g", "True", "Scheduled"), fail},
		{"back to nothing", both().Satisfied("g", "True", "Scheduled").Unsaid("g").Wait(time.Second), fail},
		{"a new group of the name starts anew", both().Satisfied("g", "True", "Scheduled").GangGone("g").Gang("g", 4).Satisfied("g", "False", "Unschedulable").Wait(settled), pass},
		{"a basic group", gpus(2).Basic("g").Pods("g", 1).Satisfied("g", "True", "Scheduled").Satisfied("g", "False", "Unschedulable"), fail},
		{"a gap in groups", both().Satisfied("g", "True", "Scheduled").BreakWatch("podgroups").Wait(settled), doubt},
	})
}
