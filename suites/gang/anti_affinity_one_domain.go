package gang

import (
	"context"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "gang-anti-affinity-one-domain",
		Profile:      "gang",
		Summary:      "Members refuse to share a domain, and all nodes are in one.",
		Requirements: []string{"GANG-041"},
		Needs:        needs(nodes.Pool{Name: mainPool, Count: 2, GPUs: 2, Labels: map[string]string{oneDomainKey: "only"}}),
		Weight:       20,
		Drive:        driveAntiAffinityOneDomain,
		Judge:        judgeAntiAffinityOneDomain,
	})
}

// oneDomainKey is a topology key of which the scenario's nodes all have the same value.
const oneDomainKey = "muster.dev/gang-one-domain"

func driveAntiAffinityOneDomain(ctx context.Context, env suites.Env) error {
	member := kit.Member("g", mainPool)
	member.Labels = map[string]string{"app": "g"}
	member.Affinity = apart("g", oneDomainKey)
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: 2}, build.Replicas(2, member)...); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "waiting", "watched", 2)
}

func judgeAntiAffinityOneDomain(v *history.View) []suites.Finding {
	members := v.Members("g")
	c := kit.For(v, "GANG-041")
	from, to := c.Watched("waiting", "watched", len(members))
	c.Fits(from, withoutAffinity(c.Exist("g", 2)))
	c.ShortByOne(from, members)
	c.NeverRoom(from, to, members, kit.Quorum(v, "g"))
	return []suites.Finding{c.None("g", history.Stamp{}, to, "although its two members refuse to share the only domain")}
}

// withoutAffinity are copies of the pods as they would be if they did not mind each other.
func withoutAffinity(pods []*history.Pod) []*history.Pod {
	out := make([]*history.Pod, len(pods))
	for i, p := range pods {
		c := *p
		c.First = p.First.DeepCopy()
		c.First.Spec.Affinity = nil
		out[i] = &c
	}
	return out
}
