package topology

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	n := needs(racks(2, 2, 1))
	n.PriorityClasses = map[string]int32{"low": 10, "high": 1000}
	suites.Register(suites.Scenario{
		Name:         "topology-preempts-in-one-rack",
		Profile:      "topology",
		Summary:      "A gang of high priority can only have the rack of which every pod is of lower priority.",
		Requirements: []string{"TAS-030", "TAS-031"},
		Needs:        n,
		Weight:       20,
		Drive:        drivePreemptsInOneRack,
		Judge:        judgePreemptsInOneRack,
	})
	suites.Register(suites.Scenario{
		Name:         "topology-preemption-hopeless",
		Profile:      "topology",
		Summary:      "No rack is large enough for a gang of high priority, even without the pods of lower priority.",
		Requirements: []string{"TAS-036"},
		Needs:        n,
		Weight:       23,
		Drive:        drivePreemptionHopeless,
		Judge:        judgePreemptionHopeless,
	})
}

func drivePreemptsInOneRack(ctx context.Context, env suites.Env) error {
	if _, err := fill(ctx, env, "victim", "low", rack(env, 0)...); err != nil {
		return err
	}
	if _, err := fill(ctx, env, "spared", "low", rack(env, 1)[0]); err != nil {
		return err
	}
	if _, err := fill(ctx, env, "equal", "high", rack(env, 1)[1]); err != nil {
		return err
	}
	env.Mark(ctx, "full")
	if err := highGang(ctx, env, 2); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "all bound", "g", 2)
	return kit.Watch(ctx, env, "after", "watched", 2)
}

func drivePreemptionHopeless(ctx context.Context, env suites.Env) error {
	if _, err := fill(ctx, env, "low", "low", append(rack(env, 0), rack(env, 1)...)...); err != nil {
		return err
	}
	env.Mark(ctx, "full")
	if err := highGang(ctx, env, 3); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "created", "watched", 3)
}

func highGang(ctx context.Context, env suites.Env, n int) error {
	members := kit.Members(n, "g", mainPool)
	for i := range members {
		members[i].PriorityClass = "high"
	}
	g := racked(env, "g", n)
	g.PriorityClass = "high"
	return kit.CreateGang(ctx, env, g, members...)
}

func judgePreemptsInOneRack(v *history.View) []suites.Finding {
	members, key := v.Members("g"), keyOf(v, "g")
	victims, spared := kit.Named(v, "victim-0", "victim-1"), kit.Named(v, "spared-0", "equal-0")
	opened := func(id string) (*kit.Case, history.Stamp) {
		c := kit.For(v, id)
		full := c.Mark("full")
		c.ShortWithin(full, members, "", "", 1)
		c.Premise(len(victims) == 2 && len(spared) == 2, nil, "every node was taken")
		for _, p := range append(victims, kit.Named(v, "spared-0")...) {
			c.Premise(len(members) > 0 && p.Priority < members[0].Priority, nil, "pod %s is of lower priority", p.Name)
		}
		return c, full
	}
	bound, _ := opened("TAS-030")
	spare, full := opened("TAS-031")
	_, to := spare.Watched("after", "watched", 2)
	spare.Premise(len(kit.DisturbedBetween(victims, full, to)) > 0, nil, "somebody was preempted")
	spare.Premise(key != "", nil, "the gang demands a rack")
	return []suites.Finding{
		together(bound, v, "g", "all bound", 2),
		spare.Untouched(spared, full, to, "in a rack that cannot be emptied for the gang"),
	}
}

func judgePreemptionHopeless(v *history.View) []suites.Finding {
	members, key := v.Members("g"), keyOf(v, "g")
	c := kit.For(v, "TAS-036")
	full := c.Mark("full")
	_, to := c.Watched("created", "watched", 3)
	victims := kit.Named(v, "low-0", "low-1", "low-2", "low-3")
	c.Premise(len(victims) == 4, nil, "every node was taken")
	c.ShortWithin(full, members, "", "", 1)
	// With the victims lifted out in thought, the pods of one rack would take what the largest rack takes.
	c.FitsWithin(full, append(victims[:len(victims):len(victims)], members...), "", "", 4)
	c.ShortWithin(full, append(victims[:len(victims):len(victims)], members...), key, "", 3)
	return []suites.Finding{c.Untouched(victims, full, to, "although no rack takes the gang even when it is empty")}
}
