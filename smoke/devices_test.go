package smoke

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"muster/reports/v1alpha1"
)

// TestUpWithDevices: a cluster by hand whose GPUs are devices for claims says how many there are, how soon and for how much
// memory, and lists them.
func TestUpWithDevices(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("XDG_RUNTIME_DIR", dir)
	r := muster(t, "up", "--name", "devices", "--nodes", "20", "--devices", "h100", "--gpus", "4", "-o", "json").want(t, 0)
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
	if devices != 80 || len(classes.Items) != 2 || classes.Items[0].Name != "gpu.nvidia.com" {
		t.Errorf("%d devices and %d classes", devices, len(classes.Items))
	}
	asBefore(t, client)
}

// TestBackdropIsInTheReport: a scheduler is judged in a cluster of a size, and the report says of which, how soon everything
// was there, and what it takes of memory.
func TestBackdropIsInTheReport(t *testing.T) {
	dir := out(t)
	muster(t, "conformance", "--requirement", "BASIC-001", "--backdrop-nodes", "40", "--backdrop-devices", "gb200", "--out", dir).want(t, 0)
	data, err := os.ReadFile(filepath.Join(dir, "report.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	report, err := v1alpha1.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	b := report.Provenance.Backdrop
	// Four GPUs, a channel and a daemon on each.
	if b == nil || b.Nodes != 40 || b.Devices != 40*6 || b.Model != "gb200" || b.VisibleSeconds <= 0 || b.MemoryBytes < 100<<20 {
		t.Errorf("the report says of the backdrop: %+v", b)
	}
}

// asBefore: a pod that asks for GPUs as pods did before there were claims gets devices, through the class that serves the
// extended resource.
func asBefore(t *testing.T, client kubernetes.Interface) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	pods := client.CoreV1().Pods(metav1.NamespaceDefault)
	w, err := pods.Watch(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	if _, err := pods.Create(ctx, &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "as-before"},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "example.com/train:1", Resources: corev1.ResourceRequirements{
			Limits: corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("2")},
		}}}},
	}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	for event := range w.ResultChan() {
		pod, ok := event.Object.(*corev1.Pod)
		if !ok || pod.Name != "as-before" || pod.Spec.NodeName == "" {
			continue
		}
		if pod.Status.ExtendedResourceClaimStatus == nil {
			t.Fatalf("the pod was bound to %s without a claim", pod.Spec.NodeName)
		}
		name := pod.Status.ExtendedResourceClaimStatus.ResourceClaimName
		claim, err := client.ResourceV1().ResourceClaims(metav1.NamespaceDefault).Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		got := claim.Status.Allocation.Devices.Results
		if len(got) != 2 || got[0].Driver != "gpu.nvidia.com" || got[0].Pool != pod.Spec.NodeName {
			t.Errorf("the pod on %s got %+v", pod.Spec.NodeName, got)
		}
		return
	}
	t.Fatal("the pod was not bound")
}
