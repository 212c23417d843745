package oracle_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/suites/oracle"
)

func amountsOf(kv ...string) corev1.ResourceList {
	out := corev1.ResourceList{}
	for _, s := range kv {
		k, v, _ := strings.Cut(s, "=")
		out[corev1.ResourceName(k)] = resource.MustParse(v)
	}
	return out
}

func pod(mutate func(*corev1.Pod), requests ...string) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "x", Labels: map[string]string{"app": "a"}}}
	p.Spec.Containers = []corev1.Container{{Name: "c", Resources: corev1.ResourceRequirements{Requests: amountsOf(requests...)}}}
	if mutate != nil {
		mutate(p)
	}
	return p
}

func copies(n int, p *corev1.Pod) []*corev1.Pod {
	out := make([]*corev1.Pod, n)
	for i := range out {
		out[i] = p.DeepCopy()
		out[i].Name = fmt.Sprint("p", i)
	}
	return out
}

func nodesLike(n int, allocatable ...string) []oracle.Node {
	out := make([]oracle.Node, n)
	for i := range out {
		name := fmt.Sprint("n", i)
		out[i] = oracle.Node{Name: name, Labels: map[string]string{host: name}, Allocatable: amountsOf(append([]string{"pods=110"}, allocatable...)...)}
	}
	return out
}

func term(key, app string) corev1.PodAffinityTerm {
	return corev1.PodAffinityTerm{TopologyKey: key, LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}}
}

func apartBy(keys ...string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		a := &corev1.PodAntiAffinity{}
		for _, k := range keys {
			a.RequiredDuringSchedulingIgnoredDuringExecution = append(a.RequiredDuringSchedulingIgnoredDuringExecution, term(k, "a"))
		}
		p.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: a}
	}
}

func zoned(nodes []oracle.Node, zones ...string) []oracle.Node {
	for i := range nodes {
		nodes[i].Labels[zone] = zones[i%len(zones)]
	}
	return nodes
}

var always = corev1.ContainerRestartPolicyAlways

func TestMaxPlaced(t *testing.T) {
	tests := []struct {
		name  string
		nodes []oracle.Node
		pods  []*corev1.Pod
		want  int
	}{
		{"nothing to place", nodesLike(1, "cpu=1"), nil, 0},
		{"no node", nil, copies(2, pod(nil)), 0},
		{"a sum of what fits by node", nodesLike(3, "cpu=7"), copies(20, pod(nil, "cpu=2")), 9},
		{"milli-CPUs round up", nodesLike(1, "cpu=1"), copies(3, pod(nil, "cpu=333.4m")), 2},
		{"a resource the node lacks", nodesLike(3, "cpu=8"), copies(2, pod(nil, "nvidia.com/gpu=1")), 0},
		{"enough in sum, nowhere enough", nodesLike(4, "nvidia.com/gpu=3"), copies(2, pod(nil, "nvidia.com/gpu=4")), 0},
		{"a request of zero fits an overcommitted node", []oracle.Node{{Allocatable: amountsOf("pods=9", "cpu=1"), Pods: copies(2, pod(nil, "cpu=1"))}},
			copies(2, pod(nil, "cpu=0")), 2},
		{"the number of pods", []oracle.Node{{Allocatable: amountsOf("pods=3", "cpu=64"), Pods: copies(1, pod(nil))}}, copies(9, pod(nil, "cpu=1")), 2},
		{"without allocatable pods nothing fits", []oracle.Node{{Allocatable: amountsOf("cpu=64")}}, copies(1, pod(nil)), 0},
		{"finished pods take nothing", []oracle.Node{{Allocatable: amountsOf("pods=1", "cpu=1"), Pods: copies(3, pod(func(p *corev1.Pod) {
			p.Status.Phase = corev1.PodSucceeded
		}, "cpu=1"))}}, copies(1, pod(nil, "cpu=1")), 1},
		{"an init container larger than the rest", nodesLike(1, "cpu=8"), copies(4, pod(func(p *corev1.Pod) {
			p.Spec.InitContainers = []corev1.Container{{Resources: corev1.ResourceRequirements{Requests: amountsOf("cpu=4")}}}
		}, "cpu=1")), 2},
		{"a sidecar adds up", nodesLike(1, "cpu=8"), copies(4, pod(func(p *corev1.Pod) {
			p.Spec.InitContainers = []corev1.Container{{RestartPolicy: &always, Resources: corev1.ResourceRequirements{Requests: amountsOf("cpu=3")}}}
		}, "cpu=1")), 2},
		{"overhead", nodesLike(1, "cpu=8"), copies(4, pod(func(p *corev1.Pod) { p.Spec.Overhead = amountsOf("cpu=3") }, "cpu=1")), 2},
		{"pod-level requests replace", nodesLike(1, "cpu=8"), copies(9, pod(func(p *corev1.Pod) {
			p.Spec.Resources = &corev1.ResourceRequirements{Requests: amountsOf("cpu=4")}
		}, "cpu=1")), 2},
		{"leaders and workers share nodes", nodesLike(2, "nvidia.com/gpu=8", "cpu=10"),
			append(copies(2, pod(nil, "cpu=8")), copies(5, pod(nil, "nvidia.com/gpu=4", "cpu=1"))...), 6},
		{"a greedy order would miss one", nodesLike(2, "cpu=4"), append(copies(2, pod(nil, "cpu=1")), pod(nil, "cpu=4"), pod(nil, "cpu=2")), 4},
		{"host ports: one a node", nodesLike(3, "cpu=8"), copies(5, pod(func(p *corev1.Pod) {
			p.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: 80}}
		}, "cpu=1")), 3},
		{"host ports on different addresses do not clash", nodesLike(1), []*corev1.Pod{
			pod(func(p *corev1.Pod) {
				p.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: 80, HostIP: "10.0.0.1"}}
			}),
			pod(func(p *corev1.Pod) {
				p.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: 80, HostIP: "10.0.0.2"}}
			}),
			pod(func(p *corev1.Pod) {
				p.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: 80, Protocol: corev1.ProtocolUDP}}
			}),
		}, 3},
		{"apart by host", nodesLike(4, "cpu=8"), copies(6, pod(apartBy(host), "cpu=1")), 4},
		{"apart by zone", zoned(nodesLike(6, "cpu=8"), "a", "b", "c"), copies(6, pod(apartBy(zone), "cpu=1")), 3},
		{"apart by host and zone", zoned(nodesLike(6, "cpu=8"), "a", "b"), copies(4, pod(apartBy(host, zone), "cpu=1")), 2},
		{"apart where no node has the key", nodesLike(1, "cpu=8"), copies(3, pod(apartBy("rack"), "cpu=1")), 3},
		{"a placed pod keeps its like away", []oracle.Node{{Labels: map[string]string{host: "n"}, Allocatable: amountsOf("pods=9"),
			Pods: copies(1, pod(apartBy(host)))}}, copies(1, pod(nil)), 0},
		{"together in one zone", zoned(nodesLike(4, "cpu=2"), "a", "b"), copies(6, pod(func(p *corev1.Pod) {
			p.Spec.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{
				RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{term(zone, "a")}}}
		}, "cpu=1")), 4},
		{"nobody to be near to", nodesLike(2, "cpu=2"), copies(1, pod(func(p *corev1.Pod) {
			p.Spec.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{
				RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{term(host, "other")}}}
		})), 0},
		{"spread over zones of unequal size", zoned(nodesLike(3, "cpu=2"), "a", "b", "a"), copies(6, pod(func(p *corev1.Pod) {
			p.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{MaxSkew: 1, TopologyKey: zone,
				WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "a"}}}}
		}, "cpu=1")), 5},
		{"required node affinity", nodesLike(3, "cpu=4"), copies(6, pod(func(p *corev1.Pod) {
			p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
				NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{
					{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{"n1"}}}}}}}}
		}, "cpu=1")), 4},
		{"a cordoned node", []oracle.Node{{Unschedulable: true, Allocatable: amountsOf("pods=9")}}, copies(1, pod(nil)), 0},
		{"a cordon tolerated", []oracle.Node{{Unschedulable: true, Allocatable: amountsOf("pods=9")}}, copies(1, pod(func(p *corev1.Pod) {
			p.Spec.Tolerations = []corev1.Toleration{{Key: corev1.TaintNodeUnschedulable, Operator: corev1.TolerationOpExists}}
		})), 1},
		{"a thousand equal workers on five thousand nodes", nodesLike(5000, "nvidia.com/gpu=8"), copies(1000, pod(nil, "nvidia.com/gpu=8")), 1000},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := oracle.MaxPlaced(tt.nodes, tt.pods)
			if err != nil {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("placed %d, want %d", got, tt.want)
			}
		})
	}
}

func TestOneDomain(t *testing.T) {
	nodes := zoned(nodesLike(5, "cpu=2"), "a", "b") // a has three nodes, b two
	pods := copies(8, pod(nil, "cpu=1"))
	for _, tt := range []struct {
		key, domain string
		want        int
	}{{"", "", 8}, {zone, "", 6}, {zone, "b", 4}, {zone, "c", 0}, {"rack", "", 0}, {host, "", 2}} {
		got, err := oracle.Question{Nodes: nodes, Pods: pods, TopologyKey: tt.key, Domain: tt.domain}.MaxPlaced()
		if err != nil || got != tt.want {
			t.Errorf("key %q domain %q: placed %d (%v), want %d", tt.key, tt.domain, got, err, tt.want)
		}
	}
}

// A wrong answer is worse than none: beyond its budget the oracle says so.
func TestTooBig(t *testing.T) {
	var pods []*corev1.Pod
	for i := range 12 {
		pods = append(pods, copies(3, pod(func(p *corev1.Pod) {
			p.Labels["app"] = fmt.Sprint(i)
			apartBy(host, zone)(p)
			p.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution[0].LabelSelector.MatchLabels["app"] = fmt.Sprint(i)
		}, "cpu=1", fmt.Sprintf("example.com/r%d=1", i%3)))...)
	}
	nodes := zoned(nodesLike(9, "cpu=3", "example.com/r0=1", "example.com/r1=2", "example.com/r2=1"), "a", "b", "c")
	_, err := oracle.Question{Nodes: nodes, Pods: pods, Budget: 5000}.MaxPlaced()
	if !errors.Is(err, oracle.ErrTooBig) {
		t.Fatalf("got %v, want ErrTooBig", err)
	}
	if ok, err := oracle.Feasible(nodes, pods, len(pods)+1); ok || err != nil {
		t.Errorf("more than there are: %v, %v; want false without any search", ok, err)
	}
	if ok, err := oracle.Feasible(nil, nil, 0); !ok || err != nil {
		t.Errorf("a quorum of zero: %v, %v; want true", ok, err)
	}
}

func TestUnmodelled(t *testing.T) {
	p := pod(apartBy(host))
	if got := oracle.Unmodelled(p); len(got) != 0 {
		t.Errorf("%v are modelled", got)
	}
	p.Spec.Volumes = []corev1.Volume{{Name: "tmp"}, {Name: "data", VolumeSource: corev1.VolumeSource{
		PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "d"}}}}
	p.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "gpu"}}
	terms := p.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	terms[0].NamespaceSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"team": "a"}}
	if got := oracle.Unmodelled(p); len(got) != 3 {
		t.Errorf("got %v, want the claim, the device claim and the namespace selector", got)
	}
	// It is left out, so the count is an upper bound.
	if n, err := oracle.MaxPlaced(nodesLike(1), copies(2, p)); n != 2 || err != nil {
		t.Errorf("placed %d (%v), want 2", n, err)
	}
}

func TestBadSelectorIsAnError(t *testing.T) {
	p := pod(apartBy(host))
	p.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution[0].LabelSelector =
		&metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "a", Operator: "Perhaps"}}}
	if _, err := oracle.MaxPlaced(nodesLike(1), []*corev1.Pod{p}); err == nil {
		t.Error("an unreadable selector was ignored")
	}
}

func TestExcess(t *testing.T) {
	port := pod(func(p *corev1.Pod) { p.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: 80}} }, "cpu=1")
	twin := port.DeepCopy()
	done := pod(func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed }, "cpu=9")
	big, small, none := pod(nil, "cpu=3"), pod(nil, "cpu=2", "gpu=1"), pod(nil)
	tests := []struct {
		name  string
		alloc []string
		pods  []*corev1.Pod
		of    *corev1.Pod
		want  int
	}{
		{"within", []string{"pods=9", "cpu=5", "gpu=1"}, []*corev1.Pod{big, small}, small, 0},
		{"two resources", []string{"pods=9", "cpu=4"}, []*corev1.Pod{big, small}, small, 2},
		{"only what the pod itself asks for", []string{"pods=9", "cpu=4", "gpu=1"}, []*corev1.Pod{big, small, none}, none, 0},
		{"finished pods hold nothing", []string{"pods=1", "cpu=3"}, []*corev1.Pod{big, done}, big, 0},
		{"one pod too many", []string{"pods=1", "cpu=64"}, []*corev1.Pod{big, none}, none, 1},
		{"a host port twice", []string{"pods=9", "cpu=64"}, []*corev1.Pod{port, twin}, twin, 1},
	}
	for _, tt := range tests {
		got := oracle.Excess(oracle.Node{Allocatable: amountsOf(tt.alloc...), Pods: tt.pods}, tt.of)
		if len(got) != tt.want {
			t.Errorf("%s: %q, want %d entries", tt.name, got, tt.want)
		}
	}
}

func TestAlikeAndTies(t *testing.T) {
	a, b := pod(nil, "cpu=1"), pod(func(p *corev1.Pod) { p.Labels["app"] = "b" }, "cpu=1")
	if !oracle.Alike([]*corev1.Pod{a, b}) || !oracle.Alike(nil) {
		t.Error("labels alone make no difference")
	}
	if oracle.Alike([]*corev1.Pod{a, pod(nil, "cpu=2")}) {
		t.Error("1 CPU and 2 CPUs are not alike")
	}
	if oracle.Ties(a) || !oracle.Ties(pod(apartBy(host))) {
		t.Error("anti-affinity ties, nothing does not")
	}
}
