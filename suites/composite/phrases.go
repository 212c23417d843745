package composite

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

// mainPool is the pool of every scenario.
const mainPool = "main"

// slots is a pool of so many nodes with one GPU each, so that a slot of shape kit.Worker is a node.
func slots(n int) nodes.Pool { return nodes.Pool{Name: mainPool, Count: n, GPUs: 1} }

// racks is a pool of so many racks of so many nodes with one GPU each, in zones of two racks.
func racks(count, size int) nodes.Pool {
	return nodes.Pool{Name: mainPool, Count: count * size, GPUs: 1, NodesPerRack: size, RackKey: "unique", RacksPerZone: 2, ZoneKey: "unique"}
}

func needs(p nodes.Pool) suites.Needs { return suites.Needs{Pools: []nodes.Pool{p}} }

// withClasses adds the priority classes low, mid and high.
func withClasses(n suites.Needs) suites.Needs {
	n.PriorityClasses = map[string]int32{"low": 10, "mid": 100, "high": 1000}
	return n
}

// root is a composite without a parent; a minimum of 0 makes it basic. The API wants every composite to refer to a
// workload; nothing looks whether it exists.
func root(name string, minimum int) build.Composite { return below("", name, minimum) }

// below is a composite under another.
func below(parent, name string, minimum int) build.Composite {
	c := build.Composite{Name: name, Quorum: int32(minimum), Parent: parent, Workload: "w", Template: "composite"}
	if minimum == 0 {
		c.Policy = build.BasicPolicy
	}
	return c
}

// leaf is a gang under a composite; a quorum of 0 makes it basic.
func leaf(parent, name string, quorum int) build.Gang {
	g := build.Gang{Name: name, Quorum: int32(quorum), Parent: parent, Workload: "w", Template: "group"}
	if quorum == 0 {
		g.Policy = build.BasicPolicy
	}
	return g
}

// createComposites creates them in order.
func createComposites(ctx context.Context, env suites.Env, all ...build.Composite) error {
	for _, c := range all {
		if err := env.CreateComposite(ctx, c); err != nil {
			return fmt.Errorf("creating composite group %s: %w", c.Name, err)
		}
	}
	return nil
}

// createLeaf creates a gang with n members.
func createLeaf(ctx context.Context, env suites.Env, g build.Gang, n int) error {
	members := kit.Members(n, g.Name, mainPool)
	for i := range members {
		members[i].PriorityClass = g.PriorityClass
	}
	return kit.CreateGang(ctx, env, g, members...)
}

// pair is a root of two gangs, a and b, of two pods each, complete.
func pair(ctx context.Context, env suites.Env, c build.Composite) error {
	if err := createComposites(ctx, env, c); err != nil {
		return err
	}
	for _, name := range []string{"a", "b"} {
		g := leaf(c.Name, name, 2)
		g.PriorityClass = c.PriorityClass
		if err := createLeaf(ctx, env, g, 2); err != nil {
			return err
		}
	}
	return nil
}

// fill puts a pod on each of the nodes, named name-0 …, created there, and returns their names once they are seen.
func fill(ctx context.Context, env suites.Env, name, class string, on ...string) ([]string, error) {
	p := kit.Plain(name, mainPool)
	p.PriorityClass = class
	pods := build.Replicas(len(on), p)
	for i := range pods {
		pods[i].NodeName = on[i]
	}
	if err := env.CreatePods(ctx, pods...); err != nil {
		return nil, fmt.Errorf("filling %d nodes: %w", len(on), err)
	}
	names := build.Names(pods)
	env.Await(ctx, "the room is taken", kit.Patience(env, 1), kit.PodsBound(names...))
	return names, nil
}

// rack are the nodes of the pool's n-th rack, from 0.
func rack(env suites.Env, n int) []string {
	size := env.Pool(mainPool).Spec().NodesPerRack
	return env.Pool(mainPool).Nodes()[n*size : (n+1)*size]
}

// all are the members of the gangs.
func all(v *history.View, gangs ...string) []*history.Pod {
	var out []*history.Pod
	for _, g := range gangs {
		out = append(out, v.Members(g)...)
	}
	return out
}

// standing are those of the gangs' members that stand on nodes at the place.
func standing(v *history.View, at history.Stamp, gangs ...string) []*history.Pod {
	var out []*history.Pod
	for _, g := range gangs {
		out = append(out, v.BoundAt(g, at)...)
	}
	return out
}

// counts closes the case with "at the mark so many members of each gang stand on nodes".
func counts(c *kit.Case, v *history.View, mark string, want map[string]int) suites.Finding {
	at := c.Mark(mark)
	ok, said := true, ""
	for _, g := range v.Gangs {
		if n, asked := want[g.Name]; asked {
			got := len(v.BoundAt(g.Name, at))
			ok = ok && got == n
			said += fmt.Sprintf(" %s %d of %d", g.Name, got, n)
		}
	}
	gangs := slices.Sorted(maps.Keys(want))
	for _, g := range gangs {
		c.Premise(v.Gang(g) != nil, nil, "gang %s exists", g)
	}
	return c.About(at, kit.Objects(standing(v, at, gangs...))...).Holds(ok, "bound at %q:%s", mark, said)
}

// none closes the case with "the scheduler bound no member of the gangs up to the place".
func none(c *kit.Case, v *history.View, to history.Stamp, why string, gangs ...string) suites.Finding {
	var bound []*history.Pod
	for _, g := range gangs {
		bound = append(bound, kit.BoundBetween(v, g, history.Stamp{}, to)...)
	}
	if len(bound) > 0 {
		c.About(bound[0].Bound, kit.Objects(bound)...)
	}
	return c.Holds(len(bound) == 0, "%d members of the tree were bound %s; expected none", len(bound), why)
}

// tree is the premise that the composite was there by the mark, and is whole: so many gangs below it.
func tree(c *kit.Case, v *history.View, name string, leaves int) {
	root := v.Composite(name)
	c.Premise(root != nil, nil, "composite group %s exists", name)
	if root != nil {
		n := len(v.LeavesOf(root))
		c.Premise(n == leaves, nil, "%d groups stand below %s (seen: %d)", leaves, name, n)
	}
}

// glance is long enough for a scheduler's watch to have delivered what was just written. It is used where nothing can
// be awaited and nothing is judged by it.
const glance = 2 * time.Second
