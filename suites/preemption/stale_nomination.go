package preemption

import (
	"context"
	"time"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "preemption-stale-nomination",
		Profile:      "preemption",
		Summary:      "A pod is nominated to a node whose pod takes its time to end, when a gang of higher priority takes all nodes.",
		Requirements: []string{"PRE-068"},
		Needs:        needs(pool(mainPool, 2, 1)),
		Weight:       20,
		Drive:        driveStaleNomination,
		Judge:        judgeStaleNomination,
	})
}

// ending is how long the first victim takes: longer than the gang needs to come and be tried.
const ending = 12

func driveStaleNomination(ctx context.Context, env suites.Env) error {
	grace := int64(ending)
	nodes := env.Pool(mainPool).Nodes()
	slow := on(nodes[0], pod("slow", mainPool, "low"))
	slow.Grace = &grace
	// The other node is out of the pod's reach: its own victim is of a higher priority than the pod.
	if err := place(ctx, env, slow, on(nodes[1], pod("upper", mainPool, "upper"))); err != nil {
		return err
	}
	env.Mark(ctx, ready)
	if err := env.CreatePods(ctx, pod("m", mainPool, "mid")); err != nil {
		return err
	}
	env.Await(ctx, "the pod is nominated", kit.Patience(env, 1), func(v *history.View) bool { return nominated(v, "m", v.Now()) != "" })
	env.Mark(ctx, "nominated")
	if err := attack(ctx, env, "g", mainPool, 2, 2); err != nil {
		return err
	}
	env.Await(ctx, settled, ending*time.Second+kit.Patience(env, 2), kit.Bound("g", 2))
	env.Mark(ctx, settled)
	return ctx.Err()
}

// nominated is the node that a pod names at the stamp; empty: none.
func nominated(v *history.View, name string, at history.Stamp) string {
	p := v.Pod(name)
	if p == nil {
		return ""
	}
	node, _ := history.ValueAt(p.Nominated, at)
	return node
}

func judgeStaleNomination(v *history.View) []suites.Finding {
	g := gang(v, "g", podsOf(v, "slow", "upper")...)
	c := g.opened("PRE-068")
	at, end := c.Mark("nominated"), c.Mark(settled)
	node := nominated(v, "m", at)
	m := v.Pod("m")
	c.Premise(node != "" && m != nil && m.Bound.IsZero(), nil, "a pod of lower priority was nominated to a node and not bound")
	c.Premise(len(boundOf(g.preemptor, end)) == 2, nil, "the gang took all nodes")
	said := "kept"
	switch nominated(v, "m", end) {
	case "":
		said = "cleared"
	case node:
	default:
		said = "moved"
	}
	return []suites.Finding{c.Saw(said, "the nomination of a pod of lower priority to a node that a gang has taken")}
}
