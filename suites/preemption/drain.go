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
		Name:         "preemption-victims-drain",
		Profile:      "preemption",
		Summary:      "The victims of a gang take their time to end; meanwhile the gang is tried again and a pod of low priority comes.",
		Requirements: []string{"PRE-011", "PRE-062", "PRE-063", "PRE-064", "PRE-069", "COND-009"},
		Needs:        needs(pool(mainPool, 4, 1)),
		Weight:       30,
		Drive:        driveDrain,
		Judge:        judgeDrain,
	})
}

// drainSeconds is longer than a scheduler leaves a failed gang of two alone at first, so that it looks at it again
// while the victims end.
const drainSeconds = 18

func driveDrain(ctx context.Context, env suites.Env) error {
	grace := int64(drainSeconds)
	low := pod("low", mainPool, "low")
	low.Grace = &grace
	if err := place(ctx, env, across(env.Pool(mainPool).Nodes(), low)...); err != nil {
		return err
	}
	env.Mark(ctx, ready)
	if err := attack(ctx, env, "g", mainPool, 2, 2); err != nil {
		return err
	}
	env.Await(ctx, "the victims are ending", kit.Patience(env, 2), func(v *history.View) bool {
		return len(preempted(v, v.Pods, v.Now())) >= 2
	})
	env.Mark(ctx, "draining")
	if err := env.CreatePods(ctx, pod("late", mainPool, "low")); err != nil {
		return err
	}
	// However soon the scheduler settles, nothing can be bound before the victims have ended.
	env.Await(ctx, settled, drainSeconds*time.Second+kit.Patience(env, 2), kit.Bound("g", 2))
	env.Hold(ctx, "who was to be evicted would be by now", kit.Look)
	if ctx.Err() == nil {
		env.Mark(ctx, settled)
	}
	return ctx.Err()
}

func judgeDrain(v *history.View) []suites.Finding {
	g := gang(v, "g", podsOf(v, "low-0", "low-1")...)
	all := podsOf(v, "low-0", "low-1", "low-2", "low-3")
	opened := func(id string) (*kit.Case, history.Stamp, history.Stamp) {
		c := g.opened(id)
		from, to := c.Mark("draining"), c.Mark(settled)
		c.Premise(len(preempted(v, all, from)) >= 2, nil, "victims were ending")
		return c, from, to
	}
	wave, from, to := opened("PRE-011")
	until := to
	if b := firstBound(g.preemptor); b.Before(to) {
		until = b // nothing is ending for the gang any more
	}
	second := afterwards(preempted(v, all, until), from)

	nominate, _, _ := opened("PRE-062")
	named, there := nominations(g.preemptor)

	patient, _, end := opened("PRE-064")
	gone := preempted(v, all, end)
	short := 0
	for _, p := range gone {
		// What it was given is seen as its deletion begins; whoever ends it cuts it to nothing.
		now := v.StateAt(p.Deleting).Pods[p.UID]
		if now == nil || now.Now.DeletionGracePeriodSeconds == nil || *now.Now.DeletionGracePeriodSeconds != drainSeconds {
			short++
		}
	}

	stay, _, _ := opened("PRE-069")
	late := podsOf(v, "late")
	stay.Premise(len(late) == 1, nil, "a pod of low priority came")
	stay.Premise(len(late) == 1 && late[0].Created.Before(firstBound(g.preemptor)), nil, "it came before the gang was bound")
	where, _, _ := opened("PRE-063")
	says, while, _ := opened("COND-009")
	return []suites.Finding{
		wave.About(to, kit.Objects(second)...).Holds(len(second) == 0, "%d more pods preempted while the first victims were ending; expected none", len(second)),
		nominate.About(to, kit.Objects(g.preemptor)...).Holds(named == g.need,
			"%d of %d waiting members named a node in status.nominatedNodeName; expected %d", named, len(g.preemptor), g.need),
		patient.About(end, kit.Objects(gone)...).Holds(short == 0, "%d of %d victims were not given their grace period of %d s", short, len(gone), drainSeconds),
		stay.About(to, kit.Objects(late)...).Holds(len(late) == 1 && !late[0].Bound.Before(firstBound(g.preemptor)),
			"a pod of low priority must not take the room made for a gang"),
		g.bound(g.opened("PRE-069"), g.need),
		where.About(to, kit.Objects(g.preemptor)...).Saw(fmt.Sprintf("%d of %d on their nominated nodes", there, named),
			"where the members of a gang were bound whose victims had to end first"),
		says.About(while, "podgroup g").Saw(condition(v.Gang("g"), while, firstBound(g.preemptor)), "what the condition of a gang says while its victims end"),
	}
}

// condition is what a group's condition said last before a stamp, of what it said from another on or was saying then.
func condition(g *history.Gang, from, before history.Stamp) string {
	if g == nil {
		return "no group"
	}
	said := history.Condition{}
	for _, c := range g.Satisfied {
		if !c.Stamp.After(from) || c.Stamp.Before(before) && c.Value.Status != "True" {
			said = c.Value
		}
	}
	if said.Status == "" {
		return "no condition"
	}
	return said.Status + " (" + said.Reason + ")"
}

// afterwards are the pods whose deletion began after the stamp.
func afterwards(pods []*history.Pod, s history.Stamp) (out []*history.Pod) {
	for _, p := range pods {
		if p.Deleting.After(s) {
			out = append(out, p)
		}
	}
	return out
}

// nominations counts the pods that named a node before they were bound, and those that were bound on the last they
// named.
func nominations(pods []*history.Pod) (named, there int) {
	for _, p := range pods {
		node := ""
		for _, n := range p.Nominated {
			if n.Value != "" && (p.Bound.IsZero() || n.Stamp.Before(p.Bound)) {
				node = n.Value
			}
		}
		if node == "" {
			continue
		}
		named++
		if !p.Bound.IsZero() && p.Node == node {
			there++
		}
	}
	return named, there
}

// firstBound is the first bind of the pods; zero: never.
func firstBound(pods []*history.Pod) (first history.Stamp) {
	for _, p := range pods {
		if p.Bound.Before(first) {
			first = p.Bound
		}
	}
	return first
}
