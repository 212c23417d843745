package cluster_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"muster/fakes/cluster"
	"muster/fakes/cluster/storage"
	"muster/fakes/gpus"
	"muster/fakes/nodes"
	"muster/fakes/nodes/register"
	"muster/fakes/nodes/seed"
)

// pools are of every model in every way its devices can be published, with racks, labels and taints.
func pools(t *testing.T) []nodes.Pool {
	t.Helper()
	models, err := gpus.Models()
	if err != nil {
		t.Fatal(err)
	}
	out := []nodes.Pool{
		{Name: "plain", Count: 2, GPUs: 8, NodesPerRack: 1, RacksPerZone: 1, Labels: map[string]string{"a": "b"}},
		{Name: "open", Count: 1, Open: true},
	}
	for _, m := range models {
		for _, d := range []nodes.Devices{
			{}, {Scope: "scope"}, {Partitions: true, Scope: "cut"}, {Reach: nodes.ReachPool, Scope: "pool", Count: 3}, {Reach: nodes.ReachCluster, Scope: "all", Count: 70},
			{Taints: []nodes.DeviceTaint{{Key: "example.com/broken", Value: "x", Effect: "NoSchedule", Devices: []int{1}}}, Scope: "tainted"},
			{Shares: 4, Scope: "shared"}, {Shares: 4, Partitions: true, Scope: "both"},
		} {
			if d.Shares > 0 && m.Publications[0].Sharing == nil {
				continue
			}
			d.Model = m.Name
			name := strings.Trim(m.Name+"-"+d.Scope, "-")
			out = append(out, m.Decorate(nodes.Pool{Name: name, Count: 2, Devices: d}))
		}
	}
	return out
}

// TestSeededIsAsCreated seeds nodes and slices, reads them through the API, creates the same ones there, and compares. The
// API server so also judges every way in which a model's devices and classes can be published.
func TestSeededIsAsCreated(t *testing.T) {
	binary := os.Getenv("MUSTER_BIN")
	if binary == "" {
		t.Skip("set MUSTER_BIN to the built binary to seed a cluster")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	all := pools(t)
	var counts seed.Counts
	c, err := cluster.Start(ctx, cluster.Options{Parent: t.TempDir(), Binary: binary, Preload: func(ctx context.Context, s *storage.Store) error {
		var err error
		counts, err = seed.Pools(ctx, s, nil, all...)
		return err
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Stop(context.Background()) }()
	client, err := kubernetes.NewForConfig(c.RESTConfig())
	if err != nil {
		t.Fatal(err)
	}

	seeded, devices := read(ctx, t, client)
	if counts.Nodes+counts.Slices != len(seeded) || counts.Devices != devices {
		t.Errorf("said to have seeded %+v; there are %d objects and %d devices", counts, len(seeded), devices)
	}
	if err := client.CoreV1().Nodes().DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := client.ResourceV1().ResourceSlices().DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := register.Devices(ctx, c.RESTConfig(), all...); err != nil {
		t.Fatal(err)
	}
	if err := register.Pools(ctx, c.RESTConfig(), 0, nil, all...); err != nil {
		t.Fatal(err)
	}
	created, _ := read(ctx, t, client)
	if len(seeded) != len(created) {
		t.Errorf("seeded %d objects, created %d", len(seeded), len(created))
	}
	for name, got := range seeded {
		if want := created[name]; got != want {
			t.Errorf("%s is\n%s\nwhere it was seeded, and\n%s\nwhere it was created", name, got, want)
		}
	}
}

// read lists nodes and slices, and counts devices. What has to differ between two objects of one name is left out: uids,
// versions and times; that they are there is made sure of.
func read(ctx context.Context, t *testing.T, client kubernetes.Interface) (map[string]string, int) {
	t.Helper()
	out, devices := map[string]string{}, 0
	list, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	uids := map[string]string{}
	for _, n := range list.Items {
		uids[n.Name] = string(n.UID)
		for i := range n.Status.Conditions {
			c := &n.Status.Conditions[i]
			if age := time.Since(c.LastHeartbeatTime.Time); age < -time.Minute || age > 5*time.Minute || c.LastTransitionTime.IsZero() {
				t.Errorf("node %s: condition %s is of %s and %s", n.Name, c.Type, c.LastHeartbeatTime, c.LastTransitionTime)
			}
			c.LastHeartbeatTime, c.LastTransitionTime = metav1.Time{}, metav1.Time{}
		}
		out["node "+n.Name] = comparable(t, &n.ObjectMeta, &n)
	}
	slices, err := client.ResourceV1().ResourceSlices().List(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range slices.Items {
		devices += len(s.Spec.Devices)
		for i := range s.Spec.Devices {
			withoutTimes(t, &s.Spec.Devices[i])
		}
		text := comparable(t, &s.ObjectMeta, &s)
		if s.Spec.NodeName != nil {
			uid := uids[*s.Spec.NodeName]
			if strings.Count(text, uid) != 2 {
				t.Errorf("slice %s names its node %s (%s) %d times; want one owner and one field", s.Name, *s.Spec.NodeName, uid, strings.Count(text, uid))
			}
			text = strings.ReplaceAll(text, uid, "UID")
		}
		out["slice "+s.Name] = text
	}
	return out, devices
}

func withoutTimes(t *testing.T, d *resourcev1.Device) {
	t.Helper()
	for i := range d.Taints {
		if d.Taints[i].TimeAdded.IsZero() {
			t.Errorf("device %s: taint without a time", d.Name)
		}
		d.Taints[i].TimeAdded = nil
	}
}

func comparable(t *testing.T, m *metav1.ObjectMeta, obj any) string {
	t.Helper()
	if m.UID == "" || m.ResourceVersion == "" || m.CreationTimestamp.IsZero() || len(m.ManagedFields) != 1 || m.ManagedFields[0].Time.IsZero() {
		t.Errorf("%s lacks what the API server gives every object: %+v", m.Name, m)
	}
	m.UID, m.ResourceVersion, m.CreationTimestamp = "", "", metav1.Time{}
	for i := range m.ManagedFields {
		m.ManagedFields[i].Time = nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", " ")
	if err := e.Encode(obj); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
