package gpus

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"muster/fakes/nodes"
)

func TestEveryModelMakesValidNodes(t *testing.T) {
	all, err := Models()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, m := range all {
		if seen[m.Name] || m.Name != strings.ToLower(m.Name) || m.Count < 1 || m.Memory < 1<<10 || m.Source == "" || m.About == "" {
			t.Errorf("model %+v is incomplete, or there twice", m)
		}
		seen[m.Name] = true
		p := m.Decorate(nodes.Pool{Name: "p", Count: 1})
		if err := p.Validate(); err != nil {
			t.Errorf("model %s: %v", m.Name, err)
			continue
		}
		n := nodes.Object(p, 0)
		got := n.Status.Allocatable[corev1.ResourceName(m.Resource)]
		if got.Value() != int64(m.Count) || n.Labels[corev1.LabelArchStable] != m.Arch || n.Status.NodeInfo.Architecture != m.Arch {
			t.Errorf("model %s: %s of %s on %s", m.Name, got.String(), m.Resource, n.Labels[corev1.LabelArchStable])
		}
		for k, v := range n.Labels {
			if strings.HasPrefix(v, "$") {
				t.Errorf("model %s: label %s=%s was not replaced", m.Name, k, v)
			}
		}
	}
	for _, name := range []string{"a100", "h100", "gb200", "mi300x"} {
		if !seen[name] {
			t.Errorf("model %s is missing", name)
		}
	}
}

func TestThePoolWins(t *testing.T) {
	m, err := Named("H100")
	if err != nil {
		t.Fatal(err)
	}
	mine := map[string]string{"nvidia.com/gpu.product": "other"}
	p := m.Decorate(nodes.Pool{Name: "p", GPUs: 2, GPUResource: "example.com/gpu", Labels: mine})
	if p.GPUs != 2 || p.GPUResource != "example.com/gpu" || p.Labels["nvidia.com/gpu.product"] != "other" || p.Labels["nvidia.com/gpu.count"] != "2" {
		t.Errorf("decorated %+v", p)
	}
	if len(mine) != 1 {
		t.Errorf("the caller's labels were changed: %v", mine)
	}
}

func TestUnknownModelNamesTheOthers(t *testing.T) {
	if _, err := Named("h101"); err == nil || !strings.Contains(err.Error(), "a100, gb200, h100, mi300x") {
		t.Errorf("error %v", err)
	}
}
