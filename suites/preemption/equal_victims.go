package preemption

import (
	"context"
	"strings"
	"time"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "preemption-equal-victims",
		Profile:      "preemption",
		Summary:      "A gang needs the place of one of two victims of one priority: of an old and a new pod, of a pod and a member of a group, of a small group and a large one.",
		Requirements: []string{"PRE-041"},
		Needs:        needs(pool("age", 2, 1), pool("kind", 2, 1), pool("size", 3, 1)),
		Weight:       10,
		Drive:        driveEqualVictims,
		Judge:        judgeEqualVictims,
	})
}

// aged is longer than the second to which start times are written.
const aged = 2 * time.Second

// choices are what there is to choose from in each pool, and in what words: pods by the first part of their names.
var choices = []struct {
	pool  string
	names []string
}{
	{"age", []string{"older", "newer"}},
	{"kind", []string{"pod", "member"}},
	{"size", []string{"small", "large"}},
}

func driveEqualVictims(ctx context.Context, env suites.Env) error {
	node := func(pool string, i int) string { return env.Pool(pool).Nodes()[i] }
	if err := place(ctx, env, on(node("age", 0), pod("older-0", "age", "low"))); err != nil {
		return err
	}
	env.Hold(ctx, "it ages", aged)
	if err := place(ctx, env, on(node("age", 1), pod("newer-0", "age", "low")), on(node("kind", 0), pod("pod-0", "kind", "low"))); err != nil {
		return err
	}
	for _, g := range []struct {
		name, pool string
		nodes      []string
	}{
		{"member", "kind", env.Pool("kind").Nodes()[1:]},
		{"small", "size", env.Pool("size").Nodes()[:1]},
		{"large", "size", env.Pool("size").Nodes()[1:]},
	} {
		group := build.Gang{Name: g.name, Quorum: int32(len(g.nodes)), PriorityClass: "low", DisruptAll: g.pool == "size"}
		if err := runningGroup(ctx, env, group, across(g.nodes, member(g.name, g.name, g.pool, "low"))...); err != nil {
			return err
		}
	}
	env.Mark(ctx, ready)
	var come []string
	for _, c := range choices {
		if err := attack(ctx, env, "for-"+c.pool, c.pool, 1, 1); err != nil {
			return err
		}
		come = append(come, "for-"+c.pool+"-0")
	}
	kit.AwaitOver(ctx, env, settled, 1, kit.PodsBound(come...))
	return ctx.Err()
}

func judgeEqualVictims(v *history.View) []suites.Finding {
	c := kit.For(v, "PRE-041")
	at, end := c.Mark(ready), c.Mark(settled)
	var seen []string
	for _, choice := range choices {
		var gone []string
		for _, name := range choice.names {
			pods := v.Members(name)
			if len(pods) == 0 {
				pods = podsOf(v, name+"-0")
			}
			c.Premise(len(pods) > 0 && len(boundOf(pods, at)) == len(pods) && sameAs(pods, classes["low"]), nil, "%s ran, with the priority of the others", name)
			if len(preempted(v, pods, end)) > 0 {
				gone = append(gone, name)
			}
		}
		g := gang(v, "for-"+choice.pool)
		g.fits(c, nil, false, "no room for %d of %d pods of "+choice.pool, g.need, len(g.preemptor))
		seen = append(seen, strings.Join(choice.names, " or ")+": "+strings.Join(append(gone, none(gone)...), " and "))
	}
	return []suites.Finding{c.Saw(strings.Join(seen, "; "), "which of two victims of one priority was preempted")}
}

func none(of []string) []string {
	if len(of) == 0 {
		return []string{"none"}
	}
	return nil
}

func boundOf(pods []*history.Pod, at history.Stamp) (out []*history.Pod) {
	for _, p := range pods {
		if p.BoundAt(at) {
			out = append(out, p)
		}
	}
	return out
}

func sameAs(pods []*history.Pod, priority int32) bool {
	for _, p := range pods {
		if p.Priority != priority {
			return false
		}
	}
	return true
}
