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

// Three replicas of a leader and its workers, one gang each. A leader asks for no GPU and always fits; it is useless,
// and in the way, without its workers. All leaders come first, as a controller creates them.
func init() {
	suites.Register(suites.Scenario{
		Name:         "leader-and-workers-room-for-two-of-three",
		Profile:      "gang",
		Summary:      "Three replicas of a leader without GPUs and workers with one each; there are GPUs for the workers of two.",
		Requirements: []string{"FIELD-006"},
		Needs:        suites.Needs{Pools: []nodes.Pool{{Name: "pool", Count: 4, GPUs: 2}}},
		Weight:       27,
		Drive:        driveLeaders,
		Judge:        judgeLeaders,
	})
}

var replicas = []string{"replica-a", "replica-b", "replica-c"}

// leader is the name of a replica's leader.
func leader(replica string) string { return replica + "-leader" }

func driveLeaders(ctx context.Context, env suites.Env) error {
	env.Mark(ctx, "empty")
	free, err := slots(env, "pool", 6)
	if err != nil {
		return err
	}
	workers := free/3 + 1 // three times that is more than there is, twice that is not
	n := workers + 1
	var first []build.Pod
	var rest [][]build.Pod
	for _, r := range replicas {
		if err := env.CreateGang(ctx, build.Gang{Name: r, Quorum: int32(n)}); err != nil {
			return fmt.Errorf("creating gang %s: %w", r, err)
		}
		first = append(first, build.Pod{Name: leader(r), Gang: r, Pool: "pool", Shape: build.Shape{CPU: "1"}})
		rest = append(rest, kit.Members(workers, r, "pool"))
	}
	if err := env.CreatePods(ctx, append(first, interleave(rest...)...)...); err != nil {
		return fmt.Errorf("creating leaders and workers: %w", err)
	}
	env.Await(ctx, "two replicas complete", kit.Patience(env, n), func(v *history.View) bool {
		return len(completeAt(v, v.Now(), replicas)) >= 2
	})
	return kit.Watch(ctx, env, "hold", "held", n)
}

func judgeLeaders(v *history.View) []suites.Finding {
	c := kit.For(v, "FIELD-006")
	empty := c.Mark("empty")
	_, held := c.Watched("hold", "held", len(v.Members(replicas[0])))
	var all, leaders []*history.Pod
	for _, r := range replicas {
		all = append(all, v.Members(r)...)
		leaders = append(leaders, kit.Named(v, leader(r))...)
	}
	two := append(append([]*history.Pod{}, v.Members(replicas[0])...), v.Members(replicas[1])...)
	c.Fits(empty, two)
	c.Fits(empty, leaders)
	c.Premise(len(all) == len(two)/2*3, nil, "the replicas are of one size")
	c.NeverRoom(empty, empty, all, len(all))
	complete := completeAt(v, held, replicas)
	var idle []*history.Pod
	for _, r := range replicas {
		if len(completeAt(v, held, []string{r})) == 0 {
			idle = append(idle, v.BoundAt(r, held)...)
		}
	}
	return []suites.Finding{c.About(held, kit.Objects(idle)...).Holds(len(complete) == 2 && len(idle) == 0,
		"%d of 3 replicas are complete where two fit, and an incomplete one holds %d pods (%s)",
		len(complete), len(idle), standing(v, held, replicas))}
}
