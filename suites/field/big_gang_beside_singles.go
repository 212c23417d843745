package field

import (
	"context"
	"fmt"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

// A gang that needs one slot more than there are is in the queue first. It can never run here, so nothing justifies
// keeping the slots from plain pods of the same priority that come after it.
func init() {
	suites.Register(suites.Scenario{
		Name:         "gang-of-ten-before-nine-singles",
		Profile:      "gang",
		Summary:      "A gang of one more than the free slots waits; as many single pods as there are slots come after it.",
		Requirements: []string{"FIELD-002"},
		Needs:        suites.Needs{Pools: []nodes.Pool{{Name: "pool", Count: 3, GPUs: 3}}},
		Weight:       5,
		Drive:        driveBigGangBesideSingles,
		Judge:        judgeBigGangBesideSingles,
	})
}

func driveBigGangBesideSingles(ctx context.Context, env suites.Env) error {
	env.Mark(ctx, "empty")
	free, err := slots(env, "pool", 2)
	if err != nil {
		return err
	}
	n := free + 1
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "big", Quorum: int32(n)}, kit.Members(n, "big", "pool")...); err != nil {
		return err
	}
	// By the time the others come the scheduler is to know that the gang does not fit. One that reports no attempt is
	// not waited for any longer than it would take to bind the gang.
	env.Await(ctx, "an attempt on big", env.Prompt(n), kit.Tried("big"))
	singles := build.Replicas(free, kit.Plain("single", "pool"))
	if err := env.CreatePods(ctx, singles...); err != nil {
		return fmt.Errorf("creating the single pods: %w", err)
	}
	env.Mark(ctx, "singles-created")
	kit.AwaitMark(ctx, env, "singles-waited-for", n, kit.PodsBound(build.Names(singles)...))
	return ctx.Err()
}

func judgeBigGangBesideSingles(v *history.View) []suites.Finding {
	c := kit.For(v, "FIELD-002")
	empty, end := c.Mark("empty"), c.Mark("singles-waited-for")
	gang, singles := v.Members("big"), plainPods(v)
	c.Premise(len(singles) == len(gang)-1, nil, "one single pod fewer than the gang has members (%d and %d)", len(singles), len(gang))
	c.ShortByOne(empty, gang)
	c.Fits(empty, singles)
	var kept []*history.Pod
	for _, p := range singles {
		if p.Bound.IsZero() || p.Bound.After(end) {
			kept = append(kept, p)
		}
	}
	return []suites.Finding{c.About(end, kit.Objects(kept)...).Holds(len(kept) == 0,
		"%d of %d single pods were bound beside a waiting gang of %d of the same priority that can never have their room (%d of its members were bound)",
		len(singles)-len(kept), len(singles), len(gang), len(v.BoundAt("big", end)))}
}

// plainPods are the scenario's pods without a gang.
func plainPods(v *history.View) []*history.Pod {
	var out []*history.Pod
	for _, p := range v.Pods {
		if p.Gang == "" {
			out = append(out, p)
		}
	}
	return out
}
