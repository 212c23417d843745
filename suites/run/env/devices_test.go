package env

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	clienttesting "k8s.io/client-go/testing"

	"muster/fakes/gpus"
	"muster/fakes/nodes"
)

// TestPoolsHaveTheirDevices: a scenario that asks for devices finds a slice for each node, and classes of its own, under
// names that it can work out from the pool.
func TestPoolsHaveTheirDevices(t *testing.T) {
	s := prepared(t, func(o *Options) {
		o.Scenario.Needs.Pools = []nodes.Pool{
			{Name: "main", Count: 2, Devices: nodes.Devices{Model: "h100", Count: 4}},
			{Name: "far", Devices: nodes.Devices{Model: "mi300x", Count: 12, Reach: nodes.ReachPool}},
		}
		o.Scope = ScopeOf(o.Scenario, "", 1, o.Profile)
	})
	d := s.Pool("main").Spec().Devices
	if d.Scope != s.Namespace() {
		t.Errorf("scope %q, want %s", d.Scope, s.Namespace())
	}
	for _, class := range []string{"gpu.nvidia.com", "mig.nvidia.com", "gpu.amd.com"} {
		if _, err := s.client.Resource(deviceClassesGVR).Get(t.Context(), gpus.ClassName(d.Scope, class), metav1.GetOptions{}); err != nil {
			t.Error(err)
		}
	}
	if got := devicesByPlace(t, s); got[s.Pool("main").Nodes()[0]] != 4 || got[s.Pool("main").Nodes()[1]] != 4 || got[""] != 12 {
		t.Errorf("devices by node: %v", got)
	}
	if err := s.AddNodes(t.Context(), "main", 1); err != nil {
		t.Fatal(err)
	}
	added := s.Pool("main").Nodes()[2]
	if got := devicesByPlace(t, s); got[added] != 4 {
		t.Errorf("devices of the node that was added: %v", got)
	}
	if err := s.RemoveNode(t.Context(), added); err != nil {
		t.Fatal(err)
	}
	if !asked(s, "delete-collection", "spec.nodeName="+added) {
		t.Error("the slices of a node that is gone were left")
	}
	if err := s.Remove(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !asked(s, "delete-collection", "spec.driver="+gpus.DriverName(d.Scope, "gpu.amd.com")) {
		t.Error("the scenario left slices")
	}
	cleared := map[string]bool{}
	for _, a := range s.client.Actions() {
		if a.GetVerb() == "delete-collection" && a.GetNamespace() == s.Namespace() {
			cleared[a.GetResource().Resource] = true
		}
		if a.GetVerb() == "delete" && a.GetResource() == namespacesGVR {
			t.Error("the namespace was deleted, with a hundred requests to come")
		}
	}
	if !cleared["pods"] || !cleared["jobs"] {
		t.Errorf("the scenario left pods, or jobs that make them anew: cleared %v", cleared)
	}
}

// devicesByPlace counts devices by node; those that nodes share are under "".
func devicesByPlace(t *testing.T, s *stage) map[string]int {
	t.Helper()
	list, err := s.client.Resource(resourceSlicesGVR).List(t.Context(), listAll)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	for _, slice := range list.Items {
		node, _, _ := unstructured.NestedString(slice.Object, "spec", "nodeName")
		devices, _, _ := unstructured.NestedSlice(slice.Object, "spec", "devices")
		out[node] += len(devices)
	}
	return out
}

// asked reports whether a request of this verb with this field selector was sent: the fake server does not select.
func asked(s *stage, verb, selector string) bool {
	for _, a := range s.client.Actions() {
		if c, ok := a.(clienttesting.DeleteCollectionAction); ok && a.GetVerb() == verb && strings.Contains(c.GetListRestrictions().Fields.String(), selector) {
			return true
		}
	}
	return false
}
