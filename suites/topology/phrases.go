package topology

import (
	"context"
	"fmt"
	"time"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

// mainPool is the pool of every scenario.
const mainPool = "main"

// glance is long enough for a scheduler's watch to have delivered what was just written. It is used where nothing can
// be awaited and nothing is judged by it.
const glance = 2 * time.Second

// racks is a pool of so many racks of so many nodes with so many GPUs each. Its rack label has a key of its own.
func racks(count, size, gpus int) nodes.Pool {
	return nodes.Pool{Name: mainPool, Count: count * size, GPUs: gpus, NodesPerRack: size, RackKey: "unique"}
}

// needs is the usual need: one pool.
func needs(p nodes.Pool) suites.Needs { return suites.Needs{Pools: []nodes.Pool{p}} }

// rackKey is the label that tells the pool's racks apart.
func rackKey(env suites.Env) string { return env.Pool(mainPool).Spec().RackKey }

// rack are the nodes of the pool's n-th rack, from 0.
func rack(env suites.Env, n int) []string {
	size := env.Pool(mainPool).Spec().NodesPerRack
	all := env.Pool(mainPool).Nodes()
	return all[n*size : min((n+1)*size, len(all))]
}

// racked is a gang that demands one rack.
func racked(env suites.Env, name string, quorum int) build.Gang {
	return build.Gang{Name: name, Quorum: int32(quorum), TopologyKey: rackKey(env)}
}

// numbered are the members of a gang with the numbers from first on, n of them.
func numbered(gang string, first, n int) []build.Pod {
	return kit.Members(first+n, gang, mainPool)[first:]
}

// fill takes all the room of the nodes with pods that are created there, named name-0 …, and returns their names once
// they are seen. class is their priority class (empty for none).
func fill(ctx context.Context, env suites.Env, name, class string, on ...string) ([]string, error) {
	p := kit.Plain(name, mainPool)
	p.PriorityClass = class
	p.Shape.GPUs = env.Pool(mainPool).Spec().GPUs
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

// labels is the merge patch that sets a node's label, or (empty) takes it away.
func labels(key, value string) []byte {
	if value == "" {
		return fmt.Appendf(nil, `{"metadata":{"labels":{%q:null}}}`, key)
	}
	return fmt.Appendf(nil, `{"metadata":{"labels":{%q:%q}}}`, key, value)
}

// keyOf is the topology key of a gang of the record; empty where there is no such gang.
func keyOf(v *history.View, gang string) string {
	if g := v.Gang(gang); g != nil {
		return g.TopologyKey
	}
	return ""
}

// domainsAt are the values of the gang's key where its members stand at the mark.
func domainsAt(v *history.View, gang string, at history.Stamp) []string {
	return kit.DomainsOf(v, v.BoundAt(gang, at), keyOf(v, gang))
}

// together closes the case with "n members of the gang stand on nodes at the mark, all of them in one domain".
func together(c *kit.Case, v *history.View, gang, mark string, n int) suites.Finding {
	at := c.Mark(mark)
	bound := v.BoundAt(gang, at)
	in := domainsAt(v, gang, at)
	ok := len(bound) == n && len(in) == 1 && in[0] != ""
	return c.About(at, kit.Objects(bound)...).Holds(ok, "gang %s at %q: %d members bound in the domains %q; expected %d in one",
		gang, mark, len(bound), in, n)
}

// inside closes the case with "the gang's members stand in that domain at the mark, and are n".
func inside(c *kit.Case, v *history.View, gang, mark, domain string, n int) suites.Finding {
	at := c.Mark(mark)
	bound := v.BoundAt(gang, at)
	in := domainsAt(v, gang, at)
	ok := len(bound) == n && len(in) == 1 && in[0] == domain
	return c.About(at, kit.Objects(bound)...).Holds(ok, "gang %s at %q: %d members bound in the domains %q; expected %d in %q",
		gang, mark, len(bound), in, n, domain)
}

// whole is the premise that the gang's quorum stands in one domain at the mark, and that domain.
func whole(c *kit.Case, v *history.View, gang, mark string) (at history.Stamp, domain string) {
	at = c.Mark(mark)
	in := domainsAt(v, gang, at)
	c.Premise(len(in) == 1 && in[0] != "" && len(v.BoundAt(gang, at)) >= kit.Quorum(v, gang), nil,
		"the quorum of gang %s stands in one domain at %q (domains %q)", gang, mark, in)
	if len(in) == 1 {
		domain = in[0]
	}
	return at, domain
}
