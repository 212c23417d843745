package seed

import (
	"strings"
	"testing"

	"k8s.io/client-go/kubernetes/fake"

	"muster/fakes/gpus"
	"muster/fakes/nodes"
)

// TestWhatIsMissingIsSaid: fewer or more devices than were seeded are an error with both numbers.
func TestWhatIsMissingIsSaid(t *testing.T) {
	p := nodes.Pool{Name: "p", Count: 1, Devices: nodes.Devices{Model: "h100", Count: 3}}
	slices, err := gpus.NodeSlices(p, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	client := fake.NewClientset(nodes.Object(p, 0), slices[0])
	if err := count(t.Context(), client, Counts{Nodes: 1, Slices: 1, Devices: 3}); err != nil {
		t.Error(err)
	}
	err = count(t.Context(), client, Counts{Nodes: 1, Slices: 1, Devices: 8})
	for _, part := range []string{"3 devices", "want 1, 1 and 8"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v lacks %q", err, part)
		}
	}
}
