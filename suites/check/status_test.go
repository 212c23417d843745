package check

import (
	"testing"
	"time"

	. "muster/suites/history/historytest"
)

func TestStatusTruthful(t *testing.T) {
	said := func(status, reason string) *Builder { return half(gpus(2), "g", 2, 2).Satisfied("g", status, reason) }
	both := func(b *Builder) *Builder { return b.Bind("g-0", "node-0").Bind("g-1", "node-0") }
	try(t, statusTruthful, []told{
		{"nothing said", both(half(gpus(2), "g", 2, 2)).Wait(settled), nothing},
		{"True, then bound", both(said("True", "Scheduled")).Wait(settled), pass},
		{"bound, then True", both(half(gpus(2), "g", 2, 2)).Satisfied("g", "True", "Scheduled").Wait(settled), pass},
		{"True and never bound", said("True", "Scheduled").Wait(settled), fail},
		{"True and bound in part", said("True", "Scheduled").Bind("g-0", "node-0").Wait(settled), fail},
		{"True, and too early to tell", said("True", "Scheduled").Wait(10 * time.Second), pass},
		{"True long before the binds", both(said("True", "Scheduled").Wait(settled)).Wait(settled), fail},
		{"True, and bound when the queue was long", both(said("True", "Scheduled").Wait(30 * time.Second).Canary(20 * time.Second)).Wait(settled), pass},
		{"True, and bound late though the queue was short", both(said("True", "Scheduled").Wait(30 * time.Second).Canary(2 * time.Second)).Wait(settled), fail},
		{"False although bound, while the queue is long", both(said("False", "Unschedulable")).Wait(30 * time.Second).Canary(20 * time.Second), pass},
		{"True, then the driver stopped the scheduler", both(said("True", "Scheduled").StopScheduler().Wait(settled).StartScheduler()).Wait(settled), pass},
		{"True, then a member is lost", said("True", "Scheduled").Bind("g-0", "node-0").Gone("g-1").Wait(settled), pass},
		{"True, and a member goes much later", said("True", "Scheduled").Wait(settled).Gone("g-1"), fail},
		{"True, bound, then lost", both(said("True", "Scheduled")).Wait(time.Minute).Gone("g-0", "g-1").Wait(settled), pass},
		{"True, then the quorum is raised", both(said("True", "Scheduled")).Quorum("g", 4).Wait(settled), pass},
		{"True, the quorum raised before the binds", both(said("True", "Scheduled").Quorum("g", 4)).Wait(settled), pass},
		{"True of the driver's binds", half(gpus(2), "g", 2, 2).DriverBind("g-0", "node-0").DriverBind("g-1", "node-0").Satisfied("g", "True", "Scheduled").Wait(settled), pass},

		{"back to False is another check's", both(said("True", "Scheduled")).Satisfied("g", "False", "Unschedulable").Wait(settled), pass},
		{"True again is no change", both(said("True", "Scheduled")).Satisfied("g", "True", "Scheduled").Wait(settled), pass},
		{"a new group of the name starts anew", both(said("True", "Scheduled")).GangGone("g").Gang("g", 4).Satisfied("g", "False", "Unschedulable").Wait(settled), pass},

		{"False while it does not fit", said("False", "Unschedulable").Wait(settled), pass},
		{"False, then bound, then True", both(said("False", "Unschedulable")).Satisfied("g", "True", "Scheduled").Wait(settled), pass},
		{"False for ever although bound", both(said("False", "Unschedulable")).Wait(settled), fail},
		{"False although bound a moment ago", both(said("False", "Unschedulable")).Wait(time.Second), pass},
		{"False, and the driver bound it", said("False", "Unschedulable").DriverBind("g-0", "node-0").DriverBind("g-1", "node-0").Wait(settled), pass},
		{"False, and the driver bound the last", said("False", "Unschedulable").Bind("g-0", "node-0").DriverBind("g-1", "node-0").Wait(settled), pass},
		{"an error is another word", both(said("False", "SchedulerError")).Wait(settled), pass},

		{"an observed generation of the future", both(half(gpus(2), "g", 2, 2)).SatisfiedAt("g", "True", "Scheduled", 2).Wait(time.Second), fail},
		{"an observed generation of the past", both(half(gpus(2), "g", 2, 2)).Quorum("g", 1).SatisfiedAt("g", "True", "Scheduled", 1).Wait(time.Second), pass},

		{"a basic group, True with one bound", gpus(2).Basic("g").Pods("g", 3).Satisfied("g", "True", "Scheduled").Bind("g-0", "node-0").Wait(settled), pass},
		{"a basic group, True with none bound", gpus(2).Basic("g").Pods("g", 3).Satisfied("g", "True", "Scheduled").Wait(settled), fail},
		{"a gap in groups", said("True", "Scheduled").BreakWatch("podgroups").Wait(settled), doubt},
	})
}
