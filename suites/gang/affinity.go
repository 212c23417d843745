package gang

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

// apart is required anti-affinity to pods labelled app=app over the topology key; together is required affinity.
func apart(app, key string) *corev1.Affinity {
	return &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{term(app, key)},
	}}
}

func together(app, key string) *corev1.Affinity {
	return &corev1.Affinity{PodAffinity: &corev1.PodAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{term(app, key)},
	}}
}

func term(app, key string) corev1.PodAffinityTerm {
	return corev1.PodAffinityTerm{TopologyKey: key, LabelSelector: byApp(app)}
}

func byApp(app string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}
}

// judgePlaced judges a gang whose members bind each other in where they stand: at the mark "empty" all of them fit, at
// "all bound" all are bound, and the number of members on each node is as the rule says.
func judgePlaced(v *history.View, id, what string, rule func(onNode map[string]int) bool) []suites.Finding {
	members := v.Members("g")
	opened := func() *kit.Case {
		c := kit.For(v, id)
		c.Fits(c.Mark("empty"), members)
		return c
	}
	where := opened()
	at := where.Mark("all bound")
	bound := v.BoundAt("g", at)
	onNode := map[string]int{}
	for _, p := range bound {
		onNode[p.Node]++
	}
	return []suites.Finding{
		opened().Counts("all bound", "g", len(members)),
		where.About(at, kit.Objects(bound)...).Holds(rule(onNode),
			"%s: %d members stand on %d nodes, at most %d on one", what, len(bound), len(onNode), fullest(onNode)),
	}
}

// fullest is the greatest number of members on one node.
func fullest(onNode map[string]int) int {
	most := 0
	for _, n := range onNode {
		most = max(most, n)
	}
	return most
}
