package gang

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "gang-fits-in-one-order",
		Profile:      "gang",
		Summary:      "Of two members one demands a node that the other prefers; in one gang the one that has the choice is created first, in another last.",
		Requirements: []string{"GANG-069"},
		Needs:        needs(single("first", 2), single("last", 2)),
		Weight:       20,
		Drive:        driveOneOrder,
		Judge:        judgeOneOrder,
	})
}

// Gangs are named for when their member that has the choice comes, and so are their pools.
var whenTheChoiceComes = []string{"first", "last"}

func driveOneOrder(ctx context.Context, env suites.Env) error {
	env.Mark(ctx, "empty")
	var both []kit.Cond
	for _, g := range whenTheChoiceComes {
		wanted := env.Pool(g).Nodes()[0]
		picky, easy := kit.Member(g, g), kit.Member(g, g)
		picky.Name, picky.NodeSelector = g+"-picky", map[string]string{hostname: wanted}
		easy.Name, easy.Affinity = g+"-easy", prefers(wanted)
		order := []build.Pod{easy, picky}
		if g == "last" {
			order = []build.Pod{picky, easy}
		}
		if err := kit.CreateGang(ctx, env, build.Gang{Name: g, Quorum: 2}, order...); err != nil {
			return err
		}
		both = append(both, kit.Bound(g, 2))
	}
	env.Await(ctx, "both are bound", env.Settle(2), kit.All(both...))
	env.Mark(ctx, "waited")
	return ctx.Err()
}

// prefers is the wish to stand on a node.
func prefers(node string) *corev1.Affinity {
	return &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{{
			Weight: 100,
			Preference: corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{
				{Key: hostname, Operator: corev1.NodeSelectorOpIn, Values: []string{node}},
			}},
		}},
	}}
}

func judgeOneOrder(v *history.View) []suites.Finding {
	c := kit.For(v, "GANG-069")
	empty, at := c.Mark("empty"), c.Mark("waited")
	var bound []int
	for _, g := range whenTheChoiceComes {
		members := v.Members(g)
		c.Premise(len(members) == 2, nil, "gang %s has two members (seen: %d)", g, len(members))
		c.Fits(empty, members)
		n := 0
		for _, p := range members {
			if p.Bound.Before(at) {
				n++
			}
		}
		c.Premise(n == 2 || at.Since(empty) >= v.Settle(2), nil, "gang %s was given its time", g)
		bound = append(bound, n)
	}
	return []suites.Finding{c.About(at, kit.Objects(append(v.Members("first"), v.Members("last")...))...).Saw(
		fmt.Sprintf("%d of 2 bound where the member that has the choice comes first, %d of 2 where it comes last", bound[0], bound[1]),
		"a gang that fits only if a member gives up the node it prefers to one that can stand nowhere else")}
}
