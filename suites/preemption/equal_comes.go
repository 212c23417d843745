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
		Name:         "preemption-equal-comes-while-victims-end",
		Profile:      "preemption",
		Summary:      "While the victims of a gang take their time to end, a pod of the gang's own priority comes for the same nodes.",
		Requirements: []string{"PRE-070"},
		Needs:        needs(pool(mainPool, 2, 1)),
		Weight:       12,
		Drive:        driveEqualComes,
		Judge:        judgeEqualComes,
	})
}

// equalSeconds is how long the victims take: long enough for the pod that comes to be tried before they have ended.
const equalSeconds = 6

func driveEqualComes(ctx context.Context, env suites.Env) error {
	grace := int64(equalSeconds)
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
	if err := env.CreatePods(ctx, pod("equal", mainPool, "high")); err != nil {
		return err
	}
	env.Await(ctx, "somebody has the room", equalSeconds*time.Second+kit.Patience(env, 2), kit.Either(kit.Bound("g", 2), kit.PodsBound("equal")))
	env.Hold(ctx, "whoever else is to be bound would be by now", kit.Look)
	if ctx.Err() == nil {
		env.Mark(ctx, settled)
	}
	return ctx.Err()
}

func judgeEqualComes(v *history.View) []suites.Finding {
	victims := podsOf(v, "low-0", "low-1")
	g := gang(v, "g", victims...)
	c := g.opened("PRE-070")
	from, to := c.Mark("draining"), c.Mark(settled)
	c.Premise(len(preempted(v, victims, from)) == 2, nil, "both victims were ending")
	late := podsOf(v, "equal")
	came := len(late) == 1 && len(g.preemptor) > 0 && late[0].Priority == g.preemptor[0].Priority && late[0].Created.After(from)
	c.Premise(came, nil, "a pod of the gang's priority came")
	for _, p := range victims {
		c.Premise(came && p.Gone.After(late[0].Created), nil, "pod %s had not ended when it came", p.Name)
	}
	bound, became := 0, "waits"
	for _, p := range g.preemptor {
		if p.Bound.Before(to) {
			bound++
		}
	}
	if came && late[0].Bound.Before(to) {
		became = "is bound"
	}
	c.Premise(bound > 0 || became != "waits", nil, "somebody was bound in the room that was made")
	return []suites.Finding{c.About(to, kit.Objects(append(late, g.preemptor...))...).Saw(
		fmt.Sprintf("%d of %d members of the gang bound; the pod that came later %s", bound, len(g.preemptor), became),
		"who gets the room made for a gang when a pod of equal priority comes before it is free")}
}
