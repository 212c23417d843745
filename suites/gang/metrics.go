package gang

import (
	"context"
	"fmt"
	"maps"
	"time"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "gang-metrics",
		Profile:      "gang",
		Summary:      "One gang fits, one is short of a member, one does not exist, one preempts, one finds no room; between them the scheduler's metrics are read.",
		Requirements: []string{"GANG-071", "GANG-072", "GANG-073", "GANG-074"},
		Needs:        metricsNeeds(),
		Isolation:    suites.Exclusive,
		Weight:       6,
		Drive:        driveMetrics,
		Judge:        judgeMetrics,
	})
}

// The readings, in order: at the beginning, and after each gang had its turn.
const (
	readFirst     = "at first"
	readFits      = "one fits"
	readShort     = "one is short"
	readAbsent    = "one does not exist"
	readPreempted = "one preempts"
	readNoRoom    = "one finds no room"
	readComplete  = "the short one is complete"
)

// Metrics of kube-scheduler.
const (
	groupAttempts       = "scheduler_podgroup_schedule_attempts_total"
	pendingPods         = "scheduler_pending_pods"
	preemptionAttempts  = "scheduler_workload_preemption_attempts_total"
	preemptionVictims   = "scheduler_workload_preemption_victims"
	podPreemptions      = "scheduler_preemption_victims"
	workloadDisruptions = "scheduler_preemption_workload_disruptions"
	permitWait          = "scheduler_permit_wait_duration_seconds"
)

// metricsNeeds are a place of its own for each gang, and one for the pods by which it is known that a scheduler has counted.
func metricsNeeds() suites.Needs {
	n := withClasses(needs(single("fits", 2), single("short", 3), single("held", 2), single("full", 1),
		nodes.Pool{Name: mainPool, Count: 1, GPUs: 8}), map[string]int32{"low": 10, "high": 1000})
	n.Capabilities = []string{suites.ReadSchedulerMetrics}
	return n
}

func driveMetrics(ctx context.Context, env suites.Env) error {
	metrics, err := kit.ReadsMetrics(env, suites.Scheduler, groupAttempts, pendingPods, preemptionAttempts, preemptionVictims,
		podPreemptions, workloadDisruptions, permitWait)
	if err != nil {
		return err
	}
	if err := occupyTogether(ctx, env); err != nil {
		return err
	}
	if err := metrics.After(ctx, env, readFirst, mainPool); err != nil {
		return err
	}
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "fits", Quorum: 2}, kit.Members(2, "fits", "fits")...); err != nil {
		return err
	}
	if !env.Await(ctx, "the gang that fits is bound", kit.Patience(env, 2), kit.Bound("fits", 2)) {
		return ctx.Err() // there is nothing to count then
	}
	if err := metrics.After(ctx, env, readFits, mainPool); err != nil {
		return err
	}
	short := kit.Members(3, "short", "short")
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "short", Quorum: 3}, short[:2]...); err != nil {
		return err
	}
	if err := metrics.After(ctx, env, readShort, mainPool); err != nil {
		return err
	}
	if err := env.CreatePods(ctx, kit.Member("absent", mainPool)); err != nil {
		return err
	}
	if err := metrics.After(ctx, env, readAbsent, mainPool); err != nil {
		return err
	}
	high := kit.Members(2, "preempts", "held")
	for i := range high {
		high[i].PriorityClass = "high"
	}
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "preempts", Quorum: 2, PriorityClass: "high"}, high...); err != nil {
		return err
	}
	env.Await(ctx, "the preemptor is bound", kit.Patience(env, 2), kit.Bound("preempts", 2))
	if err := metrics.After(ctx, env, readPreempted, mainPool); err != nil {
		return err
	}
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "full", Quorum: 2}, kit.Members(2, "full", "full")...); err != nil {
		return err
	}
	kit.AwaitTried(ctx, env, "full", 2)
	if err := metrics.After(ctx, env, readNoRoom, mainPool); err != nil {
		return err
	}
	if err := env.CreatePods(ctx, short[2]); err != nil {
		return err
	}
	env.Await(ctx, "the gang that was short is bound", kit.Patience(env, 3), kit.Bound("short", 3))
	return metrics.After(ctx, env, readComplete, mainPool)
}

// occupyTogether takes the room of the preemptor with a gang that is disrupted as a whole.
func occupyTogether(ctx context.Context, env suites.Env) error {
	if err := env.CreateGang(ctx, build.Gang{Name: "victim", Quorum: 2, PriorityClass: "low", DisruptAll: true}); err != nil {
		return err
	}
	members := kit.Members(2, "victim", "held")
	for i := range members {
		members[i].PriorityClass, members[i].NodeName = "low", env.Pool("held").Nodes()[i]
	}
	if err := env.CreatePods(ctx, members...); err != nil {
		return err
	}
	env.Await(ctx, "the room is taken", kit.Patience(env, 1), kit.Bound("victim", 2))
	return nil
}

func judgeMetrics(v *history.View) []suites.Finding {
	return []suites.Finding{judgeAttempts(v), judgeQueues(v), judgeVictimsCounted(v), judgeQuorumWait(v)}
}

// judgeAttempts: each gang had the scheduler to itself between two readings.
func judgeAttempts(v *history.View) suites.Finding {
	c := kit.For(v, "GANG-071")
	m := c.Readings(readFirst, readFits, readShort, readAbsent, readPreempted, readNoRoom)
	c.Premise(len(v.BoundAt("fits", m.At[readFits])) == 2, nil, "a gang that fits was bound")
	c.Premise(len(v.Members("full")) == 2 && len(v.BoundAt("full", m.At[readNoRoom])) == 0, nil, "a gang without room waited")
	c.ShortByOne(m.At[readNoRoom], v.Members("full"))
	c.Premise(len(v.Members("short")) > 0, nil, "a gang was short of a member")
	said := fmt.Sprintf("fits: %s; short of a member: %s; preempts: %s; no room: %s", m.Say(readFirst, readFits, groupAttempts, "result"),
		m.Say(readFits, readShort, groupAttempts, "result"), m.Say(readAbsent, readPreempted, groupAttempts, "result"),
		m.Say(readPreempted, readNoRoom, groupAttempts, "result"))
	return c.About(m.At[readNoRoom], "podgroup fits", "podgroup short", "podgroup preempts", "podgroup full").Saw(said,
		"how %s grew while each of four gangs had its turn", groupAttempts)
}

// judgeQueues: which pods are counted as waiting, and where.
func judgeQueues(v *history.View) suites.Finding {
	c := kit.For(v, "GANG-072")
	m := c.Readings(readFirst, readFits, readShort, readAbsent, readPreempted, readNoRoom)
	for _, gang := range []string{"short", "absent", "full"} {
		c.Premise(len(v.Members(gang)) > 0 && len(v.BoundAt(gang, m.At[readNoRoom])) == 0, nil, "members of gang %s waited", gang)
	}
	c.Premise(v.Gang("absent") == nil, nil, "one of the gangs does not exist")
	return c.About(m.At[readNoRoom], "podgroup short", "podgroup full").Saw(fmt.Sprintf("short of a member: %s; without a group: %s; no room: %s",
		queued(m, readFits, readShort), queued(m, readShort, readAbsent), queued(m, readPreempted, readNoRoom)),
		"in which queues %s counts two members of a gang of three, one of a gang that does not exist, and two of a gang without room", pendingPods)
}

// queued says in which queues there were more pods at the second reading. Pods that scenarios before this one have left behind
// may go from a queue while their controllers give them up.
func queued(m kit.Metrics, from, to string) string {
	grown, served := m.Grown(from, to, pendingPods, "queue")
	if !served {
		return m.Say(from, to, pendingPods, "queue")
	}
	left := len(grown)
	maps.DeleteFunc(grown, func(_ string, n float64) bool { return n < 0 })
	if len(grown) < left {
		return grown.String() + " (and pods of others went)"
	}
	return grown.String()
}

// judgeVictimsCounted: what is counted of the preemption for a gang.
func judgeVictimsCounted(v *history.View) suites.Finding {
	c := kit.For(v, "GANG-073")
	m := c.Readings(readAbsent, readPreempted)
	at := m.At[readPreempted]
	victims := kit.Named(v, "victim-0", "victim-1")
	hit := kit.DisturbedBetween(victims, m.At[readAbsent], at)
	c.Premise(len(hit) == 2 && len(v.BoundAt("preempts", at)) == 2, nil, "a gang of two went for another that was then bound (%d pods went)", len(hit))
	return c.About(at, kit.Objects(hit)...).Saw(fmt.Sprintf("attempts: %s; victims: %s; units: %s; victims as of a single pod: %s",
		m.Say(readAbsent, readPreempted, preemptionAttempts, "result"), observed(m, preemptionVictims), observed(m, workloadDisruptions),
		observed(m, podPreemptions)), "what is counted of a gang for which another of two, disrupted as a whole, goes")
}

// observed says what a histogram was told between the readings around the preemption.
func observed(m kit.Metrics, histogram string) string {
	grown, served := m.Grown(readAbsent, readPreempted, histogram, "")
	switch {
	case !served:
		return "no such series"
	case len(grown) == 0:
		return "none"
	}
	return fmt.Sprintf("%g in %g", m.Sum(readAbsent, readPreempted, histogram), grown[""])
}

// judgeQuorumWait: whether the time for which members wait for the others is counted as a wait at Permit.
func judgeQuorumWait(v *history.View) suites.Finding {
	c := kit.For(v, "GANG-074")
	m := c.Readings(readNoRoom, readComplete)
	at := m.At[readComplete]
	members := c.Exist("short", 3)
	c.Premise(len(v.BoundAt("short", at)) == 3, nil, "the gang was bound when its last member had come")
	waited := time.Duration(0)
	if len(members) == 3 {
		waited = members[2].Created.Mono - members[0].Created.Mono
	}
	said := m.Say(readNoRoom, readComplete, permitWait, "result")
	if grown, _ := m.Grown(readNoRoom, readComplete, permitWait, ""); len(grown) > 0 {
		said += fmt.Sprintf(" of %.1f s together", m.Sum(readNoRoom, readComplete, permitWait))
	}
	return c.About(at, kit.Objects(members)...).Saw(fmt.Sprintf("two members waited %s for the third; waits at Permit: %s", suites.Seconds(waited), said),
		"what %s says of the wait for a quorum", permitWait)
}
