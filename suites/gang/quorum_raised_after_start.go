package gang

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "gang-quorum-raised-after-start",
		Profile:      "gang",
		Summary:      "The quorum of a running gang is raised by two; the two further members come one after the other.",
		Requirements: []string{"GANG-015"},
		Needs:        needs(single(mainPool, 4)),
		Weight:       29,
		Drive:        driveQuorumRaisedAfterStart,
		Judge:        judgeQuorumRaisedAfterStart,
	})
}

func driveQuorumRaisedAfterStart(ctx context.Context, env suites.Env) error {
	n, err := slots(env, mainPool, 4)
	if err != nil {
		return err
	}
	members := kit.Members(n, "g", mainPool)
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: int32(n - 2)}, members[:n-2]...); err != nil {
		return err
	}
	if !kit.AwaitBound(ctx, env, "started", "g", n-2) {
		return ctx.Err() // the story has no beginning; other scenarios judge that
	}
	if err := env.SetQuorum(ctx, "g", int32(n)); err != nil {
		return err
	}
	env.Hold(ctx, "the raised quorum is seen", glance)
	if err := env.CreatePods(ctx, members[n-2]); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "one short", "watched", n); err != nil {
		return err
	}
	if err := env.CreatePods(ctx, members[n-1]); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "all bound", "g", n)
	return ctx.Err()
}

func judgeQuorumRaisedAfterStart(v *history.View) []suites.Finding {
	const id = "GANG-015"
	n := kit.Quorum(v, "g")
	opened := func() *kit.Case {
		c := kit.For(v, id)
		started := c.Mark("started")
		c.Premise(len(v.BoundAt("g", started)) == n-2, nil, "the gang ran before its quorum was raised")
		c.Premise(kit.QuorumChange(v, "g").After(started), nil, "the quorum was raised afterwards")
		c.Exist("g", n)
		return c
	}
	running, _ := v.Mark("started")
	raised := kit.QuorumChange(v, "g")
	newcomers := kit.CreatedAfter(v, "g", raised)

	keep := opened()
	_, to := keep.Watched("one short", "watched", n)

	wait := opened()
	from, _ := wait.Watched("one short", "watched", n)
	wait.Fits(from, newcomers)

	start := opened()
	start.Fits(start.Mark("watched"), newcomers)
	return []suites.Finding{
		keep.Untouched(v.BoundAt("g", running), raised, to, "after the quorum was raised above them"),
		wait.About(from, kit.Objects(newcomers)...).Holds(!boundBefore(newcomers, kit.LastCreated(newcomers)),
			"a member that comes while the total is below the raised quorum of %d has to wait", n),
		start.Counts("all bound", "g", n),
	}
}

// boundBefore reports whether the scheduler bound one of the pods before the stamp.
func boundBefore(pods []*history.Pod, s history.Stamp) bool {
	for _, p := range pods {
		if p.ByScheduler() && p.Bound.Before(s) {
			return true
		}
	}
	return false
}
