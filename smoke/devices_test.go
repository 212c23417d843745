package smoke

import (
	"encoding/json"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

// TestUpWithDevices: a cluster by hand whose GPUs are devices for claims says how many there are, how soon and for how much
// memory, and lists them.
func TestUpWithDevices(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("XDG_RUNTIME_DIR", dir)
	r := muster(t, "up", "--name", "devices", "--nodes", "20", "--devices", "mi300x", "--gpus", "4", "-o", "json").want(t, 0)
	defer func() {
		muster(t, "down", "--name", "devices").want(t, 0)
		await(t, "the cluster's end", func() bool { return len(processesNaming(dir)) == 0 })
	}()
	var up struct {
		Kubeconfig   string  `json:"kubeconfig"`
		Devices      int     `json:"devices"`
		VisibleAfter float64 `json:"visibleAfter"`
		ReadyAfter   float64 `json:"readyAfter"`
		ReadyRSS     int64   `json:"readyRSS"`
	}
	if err := json.Unmarshal([]byte(r.stdout), &up); err != nil {
		t.Fatalf("%v: %s", err, r.stdout)
	}
	if up.Devices != 80 || up.VisibleAfter <= 0 || up.VisibleAfter > up.ReadyAfter || up.ReadyRSS < 100<<20 {
		t.Errorf("muster up says %+v", up)
	}
	cfg, err := clientcmd.BuildConfigFromFlags("", up.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	client, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		t.Fatal(err)
	}
	slices, err := client.ResourceV1().ResourceSlices().List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	devices := 0
	for _, s := range slices.Items {
		devices += len(s.Spec.Devices)
	}
	classes, err := client.ResourceV1().DeviceClasses().List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if devices != 80 || len(classes.Items) != 1 || classes.Items[0].Name != "gpu.amd.com" {
		t.Errorf("%d devices and %d classes", devices, len(classes.Items))
	}
}
