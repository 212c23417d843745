package nodes

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"pgregory.net/rapid"
)

func TestValidate(t *testing.T) {
	for _, tc := range []struct {
		name string
		pool Pool
		want []string // parts of the error; none: valid
	}{
		{"defaults", Pool{Name: "a", Count: 3}, nil},
		{"everything", Pool{
			Name: "a", Count: 5, CPU: "1500m", Memory: "1Gi", Pods: 10, GPUs: 8, GPUResource: "amd.com/gpu",
			Extended: map[string]string{"example.com/nic": "4"}, Labels: map[string]string{"example.com/x": "y"},
			Taints: []Taint{{Key: "k", Effect: "NoExecute"}}, NodesPerRack: 2, RacksPerZone: 2, RackKey: "r", ZoneKey: "z",
		}, nil},
		{"no name", Pool{}, []string{`pool ""`, "name"}},
		{"upper case", Pool{Name: "A"}, []string{"name"}},
		{"long name", Pool{Name: strings.Repeat("a", 62), Count: 1}, []string{"name", "64 characters"}},
		{"long name because of its size", Pool{Name: strings.Repeat("a", 60), Count: 101}, []string{"name", "64 characters"}},
		{"negative count", Pool{Name: "a", Count: -1}, []string{"count: is -1"}},
		{"negative gpus", Pool{Name: "a", GPUs: -8}, []string{"gpus: is -8"}},
		{"cpu", Pool{Name: "a", CPU: "many"}, []string{`cpu: "many" is not a quantity`}},
		{"memory", Pool{Name: "a", Memory: "-1Gi"}, []string{"memory: is -1Gi"}},
		{"gpu resource without domain", Pool{Name: "a", GPUResource: "gpu"}, []string{`gpuResource: "gpu"`, "nvidia.com/gpu"}},
		{"gpu resource of Kubernetes", Pool{Name: "a", GPUResource: "node.kubernetes.io/gpu"}, []string{"gpuResource"}},
		{"extended twice", Pool{Name: "a", GPUs: 1, Extended: map[string]string{"nvidia.com/gpu": "1"}}, []string{"extended[nvidia.com/gpu]", "gpus"}},
		{"zones without racks", Pool{Name: "a", RacksPerZone: 2}, []string{"racksPerZone: is 2", "nodesPerRack is 0"}},
		{"one key for two things", Pool{Name: "a", RackKey: "k", ZoneKey: "k"}, []string{"rackKey"}},
		{"label of the pool itself", Pool{Name: "a", Labels: map[string]string{PoolLabel: "b"}}, []string{"labels[" + PoolLabel + "]", "set by the pool"}},
		{"label value", Pool{Name: "a", Labels: map[string]string{"k": "no good"}}, []string{"labels[k]"}},
		{"taint effect", Pool{Name: "a", Taints: []Taint{{Key: "k", Effect: "noschedule"}}}, []string{"taints[0].effect", "did you mean NoSchedule?", "NoExecute"}},
		{"taint key", Pool{Name: "a", Taints: []Taint{{Effect: "NoSchedule"}}}, []string{"taints[0].key"}},
		{"all at once", Pool{Name: "a", Count: -1, CPU: "x", Pods: -1}, []string{"count", "cpu", "pods"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := tc.pool.Validate()
			if (err == nil) != (tc.want == nil) {
				t.Fatalf("error %v; want parts %q", err, tc.want)
			}
			for _, part := range tc.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q lacks %q", err, part)
				}
			}
		})
	}
	if err := ValidateAll(Pool{Name: "a"}, Pool{Name: "b"}, Pool{Name: "a"}); err == nil || !strings.Contains(err.Error(), "another pool") {
		t.Errorf("two pools of one name: %v", err)
	}
}

// TestObjectIsReadyFromItsCreation: whatever the pool, its nodes are healthy, selectable, in their place and alike.
func TestObjectIsReadyFromItsCreation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Pool{
			Name: "p", Count: 1 + rapid.IntRange(0, 300).Draw(t, "count"),
			GPUs: rapid.IntRange(0, 8).Draw(t, "gpus"), Open: rapid.Bool().Draw(t, "open"),
			NodesPerRack: rapid.IntRange(0, 20).Draw(t, "nodesPerRack"), Labels: map[string]string{"mine": "yes"},
			Taints: []Taint{{Key: "t", Effect: "NoSchedule"}},
		}
		if p.NodesPerRack > 0 {
			p.RacksPerZone = rapid.IntRange(0, 5).Draw(t, "racksPerZone")
		}
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		i := rapid.IntRange(0, p.Count-1).Draw(t, "index")
		n := Object(p, i)
		ready := false
		for _, c := range n.Status.Conditions {
			healthy := (c.Type == corev1.NodeReady) == (c.Status == corev1.ConditionTrue)
			ready = ready || c.Type == corev1.NodeReady
			if !healthy {
				t.Fatalf("condition %s is %s", c.Type, c.Status)
			}
		}
		if !ready || n.Spec.Unschedulable {
			t.Fatalf("not ready: %+v", n.Status.Conditions)
		}
		for k, v := range n.Labels {
			if len(validation.IsQualifiedName(k))+len(validation.IsValidLabelValue(v)) > 0 {
				t.Fatalf("label %s=%s is not legal", k, v)
			}
		}
		if n.Labels[PoolLabel] != "p" || n.Labels[corev1.LabelHostname] != n.Name || n.Labels["mine"] != "yes" {
			t.Fatalf("labels %v", n.Labels)
		}
		rack, inRack := n.Labels[RackLabel]
		if inRack != (p.NodesPerRack > 0) || inRack && rack != Object(p, i-i%p.NodesPerRack).Labels[RackLabel] {
			t.Fatalf("rack %q of node %d with %d a rack", rack, i, p.NodesPerRack)
		}
		zone, inZone := n.Labels[ZoneLabel]
		if inZone != (p.RacksPerZone > 0) || inZone && zone != Object(p, i-i%(p.NodesPerRack*p.RacksPerZone)).Labels[ZoneLabel] {
			t.Fatalf("zone %q of node %d", zone, i)
		}
		tol := Toleration("p")
		own := 0
		for _, taint := range n.Spec.Taints {
			if taint.Key == PoolTaint {
				own++
				if tol.Key != taint.Key || tol.Value != taint.Value || tol.Effect != taint.Effect {
					t.Fatalf("toleration %+v does not tolerate %+v", tol, taint)
				}
			}
		}
		if want := map[bool]int{true: 0, false: 1}[p.Open]; own != want || len(n.Spec.Taints) != want+1 {
			t.Fatalf("taints %+v with open=%v", n.Spec.Taints, p.Open)
		}
		gpus := n.Status.Allocatable[DefaultGPUResource]
		if gpus.Value() != int64(p.GPUs) || n.Status.Allocatable.Cpu().Value() != 64 || n.Status.Allocatable.Pods().Value() != 110 {
			t.Fatalf("allocatable %v", n.Status.Allocatable)
		}
		if Object(p, i).String() != n.String() {
			t.Fatal("the same index made two different nodes")
		}
	})
}
