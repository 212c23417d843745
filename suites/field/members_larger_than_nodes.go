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

// Every member wants one GPU more than a node has, while the pool as a whole has enough. A scheduler that counts
// capacity in the sum lets the gang in.
func init() {
	suites.Register(suites.Scenario{
		Name:         "members-larger-than-any-node",
		Profile:      "gang",
		Summary:      "The pool has enough GPUs for a gang in the sum, but no node has enough for one member; a small pod comes after it.",
		Requirements: []string{"FIELD-004"},
		Needs:        suites.Needs{Pools: []nodes.Pool{{Name: "pool", Count: 4, GPUs: 2}}},
		Weight:       20,
		Drive:        driveLargerThanNodes,
		Judge:        judgeLargerThanNodes,
	})
}

func driveLargerThanNodes(ctx context.Context, env suites.Env) error {
	env.Mark(ctx, "empty")
	free, err := slots(env, "pool", 4)
	if err != nil {
		return err
	}
	m := kit.Member("wide", "pool")
	m.GPUs = free/len(env.Pool("pool").Nodes()) + 1
	n := free / m.GPUs
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "wide", Quorum: int32(n)}, build.Replicas(n, m)...); err != nil {
		return err
	}
	// The small pod shows that the pool can be used and that the scheduler is at work meanwhile.
	if err := env.CreatePods(ctx, kit.Plain("small", "pool")); err != nil {
		return fmt.Errorf("creating the small pod: %w", err)
	}
	kit.AwaitMark(ctx, env, "small-waited-for", 1, kit.PodsBound("small"))
	return kit.Watch(ctx, env, "hold", "held", n)
}

func judgeLargerThanNodes(v *history.View) []suites.Finding {
	c := kit.For(v, "FIELD-004")
	empty, smallDone := c.Mark("empty"), c.Mark("small-waited-for")
	members, small := v.Members("wide"), v.Pod("small")
	_, held := c.Watched("hold", "held", len(members))
	c.RoomFor(empty, members, 0)
	sumSuffices(c, v, empty, members)
	c.Premise(small != nil && !small.Bound.IsZero() && !small.Bound.After(smallDone), nil, "the scheduler was at work: it bound a small pod in the same pool")
	bound := kit.BoundBefore(v, "wide", held)
	return []suites.Finding{c.About(held, kit.Objects(bound)...).Holds(len(bound) == 0,
		"%d of the gang's %d members were bound, each of which is larger than any node", len(bound), len(members))}
}
