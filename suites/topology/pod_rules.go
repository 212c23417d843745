package topology

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

// diskLabel is on the nodes that the members of topology-pod-rules select.
const diskLabel = "muster.dev/disk"

func init() {
	suites.Register(suites.Scenario{
		Name:         "topology-pod-rules",
		Profile:      "topology",
		Summary:      "The members' own rules (a node selector, one member a node) leave one rack.",
		Requirements: []string{"TAS-021"},
		Needs:        needs(racks(2, 3, 4)),
		Weight:       3,
		Drive:        drivePodRules,
		Judge:        judgePodRules,
	})
}

func drivePodRules(ctx context.Context, env suites.Env) error {
	// Rack 0 has room on two nodes for all, but only two nodes that the selector and the anti-affinity allow.
	for _, node := range append(rack(env, 0)[:2:2], rack(env, 1)...) {
		if err := env.PatchNode(ctx, node, labels(diskLabel, "ssd")); err != nil {
			return err
		}
	}
	env.Hold(ctx, "the scheduler sees the labels", glance)
	env.Mark(ctx, "ready")
	members := kit.Members(3, "g", mainPool)
	for i := range members {
		members[i].Labels = map[string]string{"app": "g"}
		members[i].NodeSelector = map[string]string{diskLabel: "ssd"}
		members[i].Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{
				TopologyKey: corev1.LabelHostname, LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "g"}},
			}},
		}}
	}
	if err := kit.CreateGang(ctx, env, racked(env, "g", 3), members...); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "all bound", "g", 3)
	return ctx.Err()
}

func judgePodRules(v *history.View) []suites.Finding {
	c := kit.For(v, "TAS-021")
	members := v.Members("g")
	c.FitsWithin(c.Mark("ready"), members, keyOf(v, "g"), "", 3)
	at := c.Mark("all bound")
	bound, in := v.BoundAt("g", at), domainsAt(v, "g", at)
	nodes, selected := map[string]bool{}, true
	for _, p := range bound {
		nodes[p.Node] = true
		selected = selected && kit.DomainOf(v, p.Node, diskLabel, p.Bound) == "ssd"
	}
	return []suites.Finding{c.About(at, kit.Objects(bound)...).Holds(len(bound) == 3 && len(in) == 1 && len(nodes) == 3 && selected,
		"%d members stand on %d nodes of the racks %q (all selected: %t); expected 3 on 3 selected nodes of one rack", len(bound), len(nodes), in, selected)}
}
