package composite

import (
	"context"
	"fmt"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

// gate is what a scheduler needs to be told of composites.
const gate = "CompositePodGroup"

func init() {
	n := needs(slots(4))
	n.SchedulerGates = map[string]bool{gate: false}
	suites.Register(suites.Scenario{
		Name:         "composite-gate-off-in-scheduler",
		Profile:      "composite",
		Summary:      "Composites are served, and their gate is off in the scheduler alone: of a composite that needs both of its gangs one lacks a pod; then the pod comes.",
		Requirements: []string{"CPG-050"},
		Needs:        n,
		Isolation:    suites.OwnCluster,
		Weight:       3,
		Drive:        driveGateOff,
		Judge:        judgeGateOff,
	})
}

// In the end the tree is whole, whoever bound it: what may not be left in part is not, so that this is about the gate and
// no rule is broken for it.
func driveGateOff(ctx context.Context, env suites.Env) error {
	if err := createComposites(ctx, env, root("tree", 2)); err != nil {
		return err
	}
	if err := createLeaf(ctx, env, leaf("tree", "b", 2), 1); err != nil {
		return err
	}
	if err := createLeaf(ctx, env, leaf("tree", "a", 2), 2); err != nil {
		return err
	}
	env.Mark(ctx, "one pod short")
	env.Await(ctx, "the gang that has its pods is bound", env.Settle(4), kit.Bound("a", 2))
	env.Mark(ctx, "waited")
	if err := env.CreatePods(ctx, kit.Members(2, "b", mainPool)[1]); err != nil {
		return err
	}
	kit.AwaitMark(ctx, env, "all bound", 4, kit.All(kit.Bound("a", 2), kit.Bound("b", 2)))
	return ctx.Err()
}

func judgeGateOff(v *history.View) []suites.Finding {
	c := kit.For(v, "CPG-050")
	on, known := v.Header.SchedulerGates[gate]
	c.Premise(known && !on, nil, "the scheduler was started with the gate %s off", gate)
	tree(c, v, "tree", 2)
	short, waited, end := c.Mark("one pod short"), c.Mark("waited"), c.Mark("all bound")
	c.Premise(len(kit.CreatedUpTo(v, "b", waited)) == 1 && len(v.Members("b")) == 2, nil, "one gang lacked a pod, which came later")
	members := v.Members("a")
	c.Premise(len(members) == 2, nil, "the other one had its pods (seen: %d)", len(members))
	c.Fits(short, members)
	whole := kit.LastCreated(v.Members("b"))
	early, alone := kit.BoundBefore(v, "a", whole), kit.BoundBefore(v, "b", whole)
	if len(early) < 2 {
		c.Watched("one pod short", "waited", 4)
	}
	value := "each gang by itself"
	switch {
	case len(alone) > 0:
		value = fmt.Sprintf("a pod of the gang that is short, and %d of the 2 pods of the other one", len(early))
	case len(early) == 2:
	case len(early) > 0:
		value = fmt.Sprintf("%d of the 2 pods of a gang by itself", len(early))
	default:
		c.Fits(end, all(v, "a", "b"))
		value = "the tree as one"
		if n := len(standing(v, end, "a", "b")); n < 4 {
			value = fmt.Sprintf("%d of the 4 pods of the tree, once all are there", n)
		}
	}
	return []suites.Finding{c.About(waited, kit.Objects(append(early, alone...))...).Saw(value,
		"what a scheduler binds of a composite of two gangs, both needed and one short of a pod, while its own gate %s is off", gate)}
}
