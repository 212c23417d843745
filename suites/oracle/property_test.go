package oracle_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"muster/suites/oracle"
)

const (
	zone = "zone"
	host = corev1.LabelHostname
)

// TestAgainstNaive compares every path of the oracle with trying everything.
func TestAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := rapid.SampledFrom([]string{"plain", "ports", "anti", "all"}).Draw(t, "rules")
		q := drawQuestion(t, rules)
		want := naiveMax(q)
		got, err := q.MaxPlaced()
		if err != nil {
			t.Fatalf("asking the oracle: %v", err)
		}
		if got != want {
			t.Fatalf("the oracle places %d, trying everything places %d\n%s", got, want, describe(q))
		}
		for quorum := range len(q.Pods) + 2 {
			ok, err := q.Feasible(quorum)
			if err != nil || ok != (quorum <= want) {
				t.Fatalf("Feasible(%d) = %v, %v; %d can be placed\n%s", quorum, ok, err, want, describe(q))
			}
		}
	})
}

func drawQuestion(t *rapid.T, rules string) oracle.Question {
	q := oracle.Question{}
	for i := range rapid.IntRange(1, 3).Draw(t, "nodes") {
		n := oracle.Node{Name: fmt.Sprint("n", i), Labels: map[string]string{host: fmt.Sprint("n", i)}}
		if z := rapid.SampledFrom([]string{"a", "b", ""}).Draw(t, "zone"); z != "" {
			n.Labels[zone] = z
		}
		if rapid.IntRange(0, 4).Draw(t, "disk") == 0 {
			n.Labels["disk"] = "ssd"
		}
		n.Unschedulable = rapid.IntRange(0, 7).Draw(t, "cordon") == 0
		if rapid.IntRange(0, 5).Draw(t, "taint") == 0 {
			n.Taints = []corev1.Taint{{Key: "k", Value: "v", Effect: rapid.SampledFrom([]corev1.TaintEffect{
				corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute}).Draw(t, "effect")}}
		}
		n.Allocatable = corev1.ResourceList{
			corev1.ResourcePods: *resource.NewQuantity(int64(rapid.IntRange(1, 4).Draw(t, "maxpods")), resource.DecimalSI),
			corev1.ResourceCPU:  *resource.NewQuantity(int64(rapid.IntRange(0, 4).Draw(t, "cpu")), resource.DecimalSI),
			"example.com/gpu":   *resource.NewQuantity(int64(rapid.IntRange(0, 3).Draw(t, "gpu")), resource.DecimalSI),
		}
		for range rapid.IntRange(0, 1).Draw(t, "placed") {
			n.Pods = append(n.Pods, drawPod(t, rules))
		}
		q.Nodes = append(q.Nodes, n)
	}
	kinds := make([]*corev1.Pod, rapid.IntRange(1, 2).Draw(t, "kinds"))
	for i := range kinds {
		kinds[i] = drawPod(t, rules)
	}
	for range rapid.IntRange(0, 4).Draw(t, "pods") {
		q.Pods = append(q.Pods, rapid.SampledFrom(kinds).Draw(t, "kind").DeepCopy())
	}
	if rapid.IntRange(0, 3).Draw(t, "one domain") == 0 {
		q.TopologyKey = rapid.SampledFrom([]string{zone, host}).Draw(t, "key")
		if rapid.Bool().Draw(t, "pinned") {
			q.Domain = rapid.SampledFrom([]string{"a", "n0"}).Draw(t, "domain")
		}
	}
	return q
}

func drawPod(t *rapid.T, rules string) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace: rapid.SampledFrom([]string{"x", "x", "x", "y"}).Draw(t, "namespace"),
		Labels:    map[string]string{"app": rapid.SampledFrom([]string{"a", "b"}).Draw(t, "app")},
	}}
	c := corev1.Container{Name: "c", Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{}}}
	for _, r := range []corev1.ResourceName{corev1.ResourceCPU, "example.com/gpu"} {
		if n := rapid.IntRange(0, 2).Draw(t, string(r)); n > 0 {
			c.Resources.Requests[r] = *resource.NewQuantity(int64(n), resource.DecimalSI)
		}
	}
	if rapid.IntRange(0, 4).Draw(t, "selector") == 0 {
		p.Spec.NodeSelector = map[string]string{"disk": "ssd"}
	}
	if rapid.IntRange(0, 2).Draw(t, "tolerates") == 0 {
		p.Spec.Tolerations = []corev1.Toleration{{Key: "k", Value: "v", Effect: corev1.TaintEffectNoSchedule}}
	}
	if rules == "ports" || rules == "all" {
		if hp := rapid.IntRange(0, 3).Draw(t, "port"); hp > 0 {
			c.Ports = []corev1.ContainerPort{{HostPort: int32(hp)}}
		}
	}
	p.Spec.Containers = []corev1.Container{c}
	if rules == "anti" || rules == "all" {
		p.Spec.Affinity = &corev1.Affinity{}
		for range rapid.IntRange(0, 2).Draw(t, "anti") {
			if p.Spec.Affinity.PodAntiAffinity == nil {
				p.Spec.Affinity.PodAntiAffinity = &corev1.PodAntiAffinity{}
			}
			a := p.Spec.Affinity.PodAntiAffinity
			a.RequiredDuringSchedulingIgnoredDuringExecution = append(a.RequiredDuringSchedulingIgnoredDuringExecution, drawTerm(t))
		}
	}
	if rules == "all" {
		if n := rapid.IntRange(0, 2).Draw(t, "affinity"); n > 0 {
			p.Spec.Affinity.PodAffinity = &corev1.PodAffinity{}
			for range n {
				a := p.Spec.Affinity.PodAffinity
				a.RequiredDuringSchedulingIgnoredDuringExecution = append(a.RequiredDuringSchedulingIgnoredDuringExecution, drawTerm(t))
			}
		}
		for range rapid.IntRange(0, 1).Draw(t, "spread") {
			term := drawTerm(t)
			c := corev1.TopologySpreadConstraint{
				MaxSkew: int32(rapid.IntRange(1, 2).Draw(t, "skew")), TopologyKey: term.TopologyKey,
				WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: term.LabelSelector,
			}
			if rapid.Bool().Draw(t, "min domains") {
				n := int32(2)
				c.MinDomains = &n
			}
			p.Spec.TopologySpreadConstraints = append(p.Spec.TopologySpreadConstraints, c)
		}
	}
	return p
}

func drawTerm(t *rapid.T) corev1.PodAffinityTerm {
	return corev1.PodAffinityTerm{
		TopologyKey:   rapid.SampledFrom([]string{zone, host}).Draw(t, "term key"),
		LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": rapid.SampledFrom([]string{"a", "b"}).Draw(t, "term app")}},
	}
}

func describe(q oracle.Question) string {
	s := fmt.Sprintf("key %q domain %q\n", q.TopologyKey, q.Domain)
	for _, n := range q.Nodes {
		s += fmt.Sprintf("%+v\n", n)
	}
	for _, p := range q.Pods {
		s += fmt.Sprintf("%+v %+v\n", p.ObjectMeta, p.Spec)
	}
	return s
}
