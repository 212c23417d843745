package preemption

import (
	"context"
	"encoding/json"

	corev1 "k8s.io/api/core/v1"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

// Seen in practice: the room is counted by the cluster's sums, the victims die, and only then does it turn out that one
// of the nodes cannot be used.
func init() {
	suites.Register(suites.Scenario{
		Name:         "preemption-one-node-tainted",
		Profile:      "preemption",
		Summary:      "A gang of six wants six nodes held by pods of low priority, one of which has a taint it does not tolerate.",
		Requirements: []string{"FIELD-010"},
		Needs:        needs(pool(mainPool, 6, 1)),
		Weight:       31,
		Drive:        driveTainted,
		Judge:        judgeTainted,
	})
}

func driveTainted(ctx context.Context, env suites.Env) error {
	pool := env.Pool(mainPool)
	nodes := pool.Nodes()
	if err := place(ctx, env, across(nodes, pod("low", mainPool, "low"))...); err != nil {
		return err
	}
	// The patch replaces the list, so the pool's own taints are part of it.
	taints := []map[string]string{
		{"key": "muster.dev/pool", "value": pool.Name(), "effect": "NoSchedule"},
		{"key": "test.muster.dev/kept-free", "effect": string(corev1.TaintEffectNoSchedule)},
	}
	patch, err := json.Marshal(map[string]any{"spec": map[string]any{"taints": taints}})
	if err != nil {
		return err
	}
	if err := env.PatchNode(ctx, nodes[0], patch); err != nil {
		return err
	}
	// A scheduler whose watch has not told it of the taint is not to blame.
	env.Hold(ctx, "the taint is known", glance)
	env.Mark(ctx, ready)
	if err := attack(ctx, env, "g", mainPool, len(nodes), len(nodes)); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "came", settled, len(nodes))
}

func judgeTainted(v *history.View) []suites.Finding {
	g := gang(v, "g", podsOf(v, "low-0", "low-1", "low-2", "low-3", "low-4", "low-5")...)
	c := untouchedFor(g.hopeless("FIELD-010"), g.need)
	c.Premise(len(g.legal) == g.need, nil, "there are as many nodes as the gang has members")
	return []suites.Finding{g.spared(c, g.legal, "for a gang that a taint keeps from running")}
}
