package seed

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/fakes/nodes"
)

// That the API server would have left the same is tested where there is one: fakes/cluster.

func TestNodesComeBeforeWhatBelongsToThem(t *testing.T) {
	s := &seeder{at: metav1.NewTime(time.Unix(1_800_000_000, 0)), pools: []nodes.Pool{
		{Name: "plain", Count: 3},
		{Name: "own", Count: 2, Devices: nodes.Devices{Model: "h100"}},
		{Name: "empty", Devices: nodes.Devices{Model: "h100"}},
		{Name: "shared", Count: 2, Devices: nodes.Devices{Model: "mi300x", Reach: nodes.ReachPool, Count: 130}},
	}}
	var keys []string
	uids := map[string]bool{}
	owners := map[string]string{}
	for {
		item, more, err := s.next()
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			break
		}
		keys = append(keys, item.Key)
		m := item.Object.(metav1.Object)
		made := m.GetCreationTimestamp()
		if uids[string(m.GetUID())] || m.GetUID() == "" || made.IsZero() || len(m.GetManagedFields()) != 1 {
			t.Errorf("%s: uid %q, created %s, %d managers", item.Key, m.GetUID(), made, len(m.GetManagedFields()))
		}
		uids[string(m.GetUID())] = true
		switch o := item.Object.(type) {
		case *corev1.Node:
			owners[o.Name] = string(o.UID)
		case *resourcev1.ResourceSlice:
			if o.Spec.NodeName != nil && (len(o.OwnerReferences) != 1 || string(o.OwnerReferences[0].UID) != owners[*o.Spec.NodeName]) {
				t.Errorf("slice %s belongs to %v, its node is %s", o.Name, o.OwnerReferences, owners[*o.Spec.NodeName])
			}
			if owner := owners["own-1"]; o.Name == "own-1-gpu.nvidia.com" && !strings.Contains(string(o.ManagedFields[0].FieldsV1.Raw), owner) {
				t.Errorf("the fields of slice %s do not name its owner", o.Name)
			}
		}
	}
	want := "minions/plain-0 minions/plain-1 minions/plain-2 minions/own-0 minions/own-1 minions/shared-0 minions/shared-1 " +
		"resourceslices/own-0-gpu.nvidia.com resourceslices/own-1-gpu.nvidia.com resourceslices/shared-gpu.amd.com resourceslices/shared-gpu.amd.com-1"
	// A pool without nodes can have devices for later: there are none of a node's own yet.
	if got := strings.Join(keys, " "); got != want {
		t.Errorf("stored\n%s\nwant\n%s", got, want)
	}
	if s.made != (Counts{Nodes: 7, Slices: 4, Devices: 16 + 130}) {
		t.Errorf("counted %+v", s.made)
	}
}

// TestOwnedFields: everything but what the API server gives, and but the status, which is another endpoint's.
func TestOwnedFields(t *testing.T) {
	raw, err := owned(nodes.Object(nodes.Pool{Name: "p", Count: 1, GPUs: 1}, 0))
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]map[string]any
	if err := json.Unmarshal(raw, &fields); err != nil {
		t.Fatal(err)
	}
	if fields["f:metadata"]["f:labels"] == nil || fields["f:spec"]["f:taints"] == nil || fields["f:status"] != nil || fields["f:metadata"]["f:name"] != nil {
		t.Errorf("fields %s", raw)
	}
}
