package job

import (
	"context"
	"slices"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

// lookUpEvents reads Events until the Job that says nothing about scheduling has as many as there are things made for it:
// a Workload, a PodGroup, and its pods.
func lookUpEvents(ctx context.Context, env suites.Env) error {
	return kit.LookUpEvents(ctx, env, func(_ *history.View, told []kit.Event) bool {
		return len(kit.EventsAbout(told, "Job", plain.name)) >= 2+plain.parallelism
	})
}

// judgeEvents: what tells users of what was made for a Job, and whether the group and the Workload have Events themselves.
func judgeEvents(v *history.View) suites.Finding {
	c, s := grouped(v, "JOB-028", plain.name, plain.parallelism)
	told, looked := kit.EventsSeen(v)
	c.Premise(looked, nil, "the events were looked up")
	things := slices.Concat(kit.EventsAbout(told, "PodGroup", text(s.group, "metadata.name")), kit.EventsAbout(told, "Workload", text(s.workload, "metadata.name")))
	return c.Saw("of the Job: "+kit.KindsOfEvents(kit.EventsAbout(told, "Job", plain.name))+"; of its group and Workload: "+kit.KindsOfEvents(things),
		"what Events tell of what was made for job %s", plain.name)
}
