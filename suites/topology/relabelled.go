package topology

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
		Name:         "topology-relabelled",
		Profile:      "topology",
		Summary:      "A node of a running gang is moved to another rack; then a late member comes.",
		Requirements: []string{"TAS-028", "TAS-025"},
		Needs:        needs(racks(2, 3, 1)),
		Weight:       25,
		Drive:        driveRelabelled,
		Judge:        judgeRelabelled,
	})
}

func driveRelabelled(ctx context.Context, env suites.Env) error {
	return driveLateAfter(ctx, env, "moved", env.Pool(mainPool).Name()+"-rack-1")
}

// driveLateAfter relabels a node of a running gang, or takes its label away (""), and goes on as driveLateOnceDone does.
func driveLateAfter(ctx context.Context, env suites.Env, mark, value string) error {
	return driveLateOnceDone(ctx, env, mark, func(node string) error {
		return env.PatchNode(ctx, node, labels(rackKey(env), value))
	})
}

// driveLateOnceDone does something to a node of a running gang, makes a late member, and watches from the mark on.
func driveLateOnceDone(ctx context.Context, env suites.Env, mark string, do func(node string) error) error {
	if _, err := fill(ctx, env, "taken", "", rack(env, 1)[0], rack(env, 1)[1]); err != nil {
		return err
	}
	if err := kit.CreateGang(ctx, env, racked(env, "g", 2), numbered("g", 0, 2)...); err != nil {
		return err
	}
	if !kit.AwaitBound(ctx, env, "quorum bound", "g", 2) {
		return ctx.Err()
	}
	var node string
	env.Await(ctx, "where the first member stands", time.Second, func(v *history.View) bool {
		if p := v.Pod("g-0"); p != nil {
			node = p.Node
		}
		return node != ""
	})
	if node == "" {
		node = rack(env, 0)[0]
	}
	if err := do(node); err != nil {
		return err
	}
	env.Hold(ctx, "the scheduler sees it", glance)
	if err := env.CreatePods(ctx, numbered("g", 2, 1)...); err != nil {
		return err
	}
	return kit.Watch(ctx, env, mark, "watched", 3)
}

func judgeRelabelled(v *history.View) []suites.Finding {
	key := keyOf(v, "g")
	opened := func(id string) (*kit.Case, []*history.Pod, history.Stamp, history.Stamp) {
		c := kit.For(v, id)
		start, _ := whole(c, v, "g", "quorum bound")
		moved, to := c.Watched("moved", "watched", 3)
		running := v.BoundAt("g", start)
		now := map[string]bool{}
		for _, p := range running {
			now[kit.DomainOf(v, p.Node, key, moved)] = true
		}
		c.Premise(len(now) == 2, nil, "the members' nodes were in two racks by then")
		return c, running, start, to
	}
	keep, running, from, to := opened("TAS-028")
	late, _, _, _ := opened("TAS-025")
	return []suites.Finding{
		keep.Untouched(running, from, to, "after a node's label changed"),
		late.Saw(lateWords(v, key), "a late member of a gang whose nodes are in two racks by now"),
	}
}

// lateWords say what became of the late member.
func lateWords(v *history.View, key string) string {
	value := "waits"
	if p := v.Pod("g-2"); p != nil && !p.Bound.IsZero() {
		value = fmt.Sprintf("bound in %q", kit.DomainOf(v, p.Node, key, p.Bound))
	} else if g := v.Gang("g"); g != nil {
		if s, ok := history.Latest(g.Satisfied); ok {
			value += fmt.Sprintf(", the group says %s (%s)", s.Status, s.Reason)
		}
	}
	return value
}
