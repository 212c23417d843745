package preemption

import (
	"context"
	"fmt"
	"time"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "preemption-place-is-lost-while-victims-end",
		Profile:      "preemption",
		Summary:      "While the victims of a gang end, one of their nodes is cordoned, and two others are opened that pods of low priority hold.",
		Requirements: []string{"PRE-071"},
		Needs:        needs(pool(mainPool, 4, 1)),
		Weight:       34,
		Drive:        driveBadPlace,
		Judge:        judgeBadPlace,
	})
}

// cordon closes or opens nodes.
func cordon(ctx context.Context, env suites.Env, closed bool, nodes ...string) error {
	for _, n := range nodes {
		if err := env.PatchNode(ctx, n, fmt.Appendf(nil, `{"spec":{"unschedulable":%t}}`, closed)); err != nil {
			return err
		}
	}
	return nil
}

func driveBadPlace(ctx context.Context, env suites.Env) error {
	nodes := env.Pool(mainPool).Nodes()
	grace := int64(drainSeconds)
	slow := pod("slow", mainPool, "low")
	slow.Grace = &grace
	if err := place(ctx, env, append(across(nodes[:2], slow), across(nodes[2:], pod("quick", mainPool, "low"))...)...); err != nil {
		return err
	}
	if err := cordon(ctx, env, true, nodes[2:]...); err != nil {
		return err
	}
	env.Hold(ctx, "the scheduler sees which nodes are closed", glance)
	env.Mark(ctx, ready)
	if err := attack(ctx, env, "g", mainPool, 2, 2); err != nil {
		return err
	}
	env.Await(ctx, "the victims are ending", kit.Patience(env, 2), func(v *history.View) bool {
		return len(preempted(v, v.Pods, v.Now())) >= 2
	})
	if err := cordon(ctx, env, true, nodes[0]); err != nil {
		return err
	}
	if err := cordon(ctx, env, false, nodes[2:]...); err != nil {
		return err
	}
	env.Mark(ctx, "place lost")
	env.Await(ctx, "the gang runs", drainSeconds*time.Second+kit.Patience(env, 2), kit.Bound("g", 2))
	env.Hold(ctx, "who was to be evicted would be by now", kit.Look)
	if ctx.Err() == nil {
		env.Mark(ctx, settled)
	}
	return ctx.Err()
}

func judgeBadPlace(v *history.View) []suites.Finding {
	slow, quick := podsOf(v, "slow-0", "slow-1"), podsOf(v, "quick-0", "quick-1")
	g := gang(v, "g", slow...)
	c := g.opened("PRE-071")
	lost, to := c.Mark("place lost"), c.Mark(settled)
	c.Premise(len(preempted(v, slow, lost)) == 2 && len(preempted(v, quick, lost)) == 0, nil, "the victims on the first two nodes were ending")
	ended := lost
	for _, p := range slow {
		c.Premise(p.Gone.After(lost), nil, "pod %s had not ended when its place was lost", p.Name)
		if !p.Gone.IsZero() && p.Gone.After(ended) {
			ended = p.Gone
		}
	}
	g.fitsWithout(c, lost, slow, false, "no room for the gang any more where the first victims stand")
	g.fitsWithout(c, lost, quick, true, "room for the gang where the other pods of lower priority stand")
	c.Premise(ended.Before(to), nil, "the first victims have ended")

	meanwhile, when := len(preempted(v, quick, ended)), "waits"
	if n := len(g.preemptor); n == 2 && g.preemptor[0].Bound.Before(to) && g.preemptor[1].Bound.Before(to) {
		when = "is bound when they have ended"
		if firstBound(g.preemptor).Before(ended) {
			when = "is bound before they have ended"
		}
	}
	return []suites.Finding{c.About(to, kit.Objects(g.preemptor)...).Saw(
		fmt.Sprintf("%d of %d other pods evicted while the first victims end; the gang %s", meanwhile, len(quick), when),
		"a gang whose nominated place is lost while its victims end, and that needs other victims now")}
}
