package topology

import (
	"context"
	"fmt"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	n := needs(racks(2, 3, 1))
	n.PriorityClasses = map[string]int32{"low": 10, "high": 1000}
	suites.Register(suites.Scenario{
		Name:         "topology-late-member-preempts",
		Profile:      "topology",
		Summary:      "A late member of a gang of high priority finds pods of low priority on every node that is left, in its rack and in the other.",
		Requirements: []string{"TAS-038"},
		Needs:        n,
		Weight:       23,
		Drive:        driveLatePreemptor,
		Judge:        judgeLatePreemptor,
	})
}

func driveLatePreemptor(ctx context.Context, env suites.Env) error {
	// One rack has room for the quorum, the other for nobody.
	if _, err := fill(ctx, env, "low", "low", append(rack(env, 0)[:1:1], rack(env, 1)...)...); err != nil {
		return err
	}
	if err := highGang(ctx, env, 2); err != nil {
		return err
	}
	if !kit.AwaitBound(ctx, env, "quorum bound", "g", 2) {
		return ctx.Err()
	}
	env.Mark(ctx, "full")
	late := numbered("g", 2, 1)
	late[0].PriorityClass = "high"
	if err := env.CreatePods(ctx, late...); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "late", "watched", 3)
}

func judgeLatePreemptor(v *history.View) []suites.Finding {
	key := keyOf(v, "g")
	c := kit.For(v, "TAS-038")
	_, home := whole(c, v, "g", "quorum bound")
	full := c.Mark("full")
	_, to := c.Watched("late", "watched", 3)
	late := kit.Named(v, "g-2")
	c.Premise(len(late) == 1 && late[0].Created.After(full), nil, "a late member came")
	c.ShortWithin(full, late, "", "", 1)
	var in, out []*history.Pod
	for _, p := range kit.Named(v, "low-0", "low-1", "low-2", "low-3") {
		c.Premise(len(late) == 1 && p.Priority < late[0].Priority && p.BoundAt(full), nil, "pod %s of lower priority stood", p.Name)
		if kit.DomainOf(v, p.Node, key, full) == home {
			in = append(in, p)
		} else {
			out = append(out, p)
		}
	}
	c.Premise(len(in) == 1 && len(out) == 3, nil, "one pod of lower priority stood in the gang's rack and three in the other")
	became := "waits"
	if len(late) == 1 && !late[0].Bound.IsZero() {
		if became = "is bound in the other"; kit.DomainOf(v, late[0].Node, key, late[0].Bound) == home {
			became = "is bound in it"
		}
	}
	value := fmt.Sprintf("%d of %d evicted in its rack, the late member %s; %d of %d in the other",
		len(kit.DisturbedBetween(in, full, to)), len(in), became, len(kit.DisturbedBetween(out, full, to)), len(out))
	return []suites.Finding{c.About(to, kit.Objects(late)...).Saw(value, "a late member of a gang whose rack is full of pods of lower priority")}
}
