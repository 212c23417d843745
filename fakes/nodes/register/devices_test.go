package register

import (
	"strings"
	"testing"

	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"

	"muster/fakes/nodes"
)

// TestNodesComeWithTheirSlices: each node, then what its drivers publish, which belongs to it.
func TestNodesComeWithTheirSlices(t *testing.T) {
	client := fake.NewClientset()
	r := &run{client: client, total: 1}
	pool := nodes.Pool{Name: "p", Count: 1, Devices: nodes.Devices{Model: "h100", Partitions: true}}
	if err := r.create(t.Context(), job{pool, 0}); err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, a := range client.Actions() {
		kinds = append(kinds, a.GetResource().Resource)
		if s, ok := a.(clienttesting.CreateAction).GetObject().(*resourcev1.ResourceSlice); ok && *s.Spec.NodeName != "p-0" {
			t.Errorf("slice %s is on node %s", s.Name, *s.Spec.NodeName)
		}
	}
	if got := strings.Join(kinds, " "); got != "nodes resourceslices resourceslices resourceslices resourceslices resourceslices" {
		t.Errorf("created %s; want a node, a slice of counters and four of devices", got)
	}
}

func TestClassesThatAreThereAreLeftAlone(t *testing.T) {
	client := fake.NewClientset()
	pools := []nodes.Pool{{Name: "a", Devices: nodes.Devices{Model: "h100"}}, {Name: "b", Devices: nodes.Devices{Model: "a100", Scope: "s"}}}
	for range 2 {
		if err := classes(t.Context(), client, pools); err != nil {
			t.Fatal(err)
		}
	}
	if err := classes(t.Context(), client, []nodes.Pool{{Name: "x", Devices: nodes.Devices{Model: "x100"}}}); err == nil || !strings.Contains(err.Error(), "x100") {
		t.Errorf("a model there is not: %v", err)
	}
}

func TestTheSliceThatFailsIsNamed(t *testing.T) {
	client := fake.NewClientset()
	client.PrependReactor("create", "resourceslices", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, runtime.NewNotRegisteredErrForKind("refused", resourcev1.SchemeGroupVersion.WithKind("ResourceSlice"))
	})
	err := (&run{client: client, total: 1}).create(t.Context(), job{nodes.Pool{Name: "p", Devices: nodes.Devices{Model: "mi300x"}}, 0})
	if err == nil || !strings.Contains(err.Error(), "publishing resource slice p-0-gpu.amd.com") {
		t.Errorf("error %v", err)
	}
}
