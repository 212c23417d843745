package gang

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "gang-members-ended",
		Profile:      "gang",
		Summary:      "All members of a gang but one have succeeded, and one more is created.",
		Requirements: []string{"GANG-008"},
		Needs:        needs(single(mainPool, 3)),
		Weight:       22,
		Drive:        driveMembersEnded,
		Judge:        judgeMembersEnded,
	})
}

func driveMembersEnded(ctx context.Context, env suites.Env) error {
	n, err := slots(env, mainPool, 3)
	if err != nil {
		return err
	}
	members := kit.Members(n+1, "g", mainPool)
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: int32(n)}, members[:n]...); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "quorum bound", "g", n)
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := env.FinishPods(ctx, corev1.PodSucceeded, build.Names(members[1:n])...); err != nil {
		return err
	}
	env.Await(ctx, "all but one have ended", env.Settle(1), func(v *history.View) bool { return len(ended(v, "g", v.Now())) == n-1 })
	env.Mark(ctx, "one runs")
	if err := env.CreatePods(ctx, members[n]); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "one more", "watched", n)
}

// ended are the members that had succeeded or failed by the stamp.
func ended(v *history.View, gang string, at history.Stamp) (out []*history.Pod) {
	for _, p := range v.Members(gang) {
		if !p.Finished.IsZero() && !p.Finished.After(at) {
			out = append(out, p)
		}
	}
	return out
}

func judgeMembersEnded(v *history.View) []suites.Finding {
	c := kit.For(v, "GANG-008")
	quorum := kit.Quorum(v, "g")
	at := c.Mark("one runs")
	done := ended(v, "g", at)
	c.Premise(quorum > 2 && len(done) == quorum-1 && len(v.BoundAt("g", at)) == 1, nil,
		"of a quorum of %d all members but one had ended (%d had)", quorum, len(done))
	from, to := c.Watched("one more", "watched", quorum)
	more := kit.CreatedAfter(v, "g", at)
	c.Premise(len(more) == 1, nil, "one more member was created")
	c.Fits(from, more)
	what := "it waits: they do not count"
	if len(kit.BoundBetween(v, "g", at, to)) > 0 {
		what = "it is bound: they count, or the quorum was met once"
	}
	return []suites.Finding{c.Saw(what, "a member created when %d of %d members have ended, with room for it", len(done), quorum)}
}
