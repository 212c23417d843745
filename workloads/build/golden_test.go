package build

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name string, got any) {
	t.Helper()
	data, err := yaml.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("testdata", name+".yaml")
	if *update {
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != string(data) {
		t.Errorf("%s differs; run the test with -update and look at the difference. Got:\n%s", file, data)
	}
}

func ptr[T any](v T) *T { return &v }

// everything is a pod that uses every option.
func everything() Pod {
	return Pod{
		Name: "all", Namespace: "own", SchedulerName: "mine", Gang: "not written here", Pool: "main",
		Shape:         Shape{CPU: "2", Memory: "4Gi", GPUs: 8, GPUResource: "amd.com/gpu", Extended: map[string]string{"example.com/nic": "1"}},
		PriorityClass: "high", Gates: []string{"example.com/wait"},
		Labels: map[string]string{"l": "1"}, Annotations: map[string]string{"a": "1"},
		NodeName: "n-0", NodeSelector: map[string]string{"disk": "ssd"},
		Tolerations: []corev1.Toleration{{Key: "k", Operator: corev1.TolerationOpExists}},
		Affinity: &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{
			TopologyKey: corev1.LabelHostname, LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"l": "1"}},
		}}}},
		Spread:    []corev1.TopologySpreadConstraint{{MaxSkew: 1, TopologyKey: "rack", WhenUnsatisfiable: corev1.DoNotSchedule}},
		HostPorts: []int32{8080}, Claims: []string{"data", "logs"},
		Grace: ptr(int64(30)), PreemptionPolicy: ptr(corev1.PreemptNever),
		Mutate: func(p *corev1.Pod) { p.Spec.HostNetwork = true },
	}
}

func TestGoldens(t *testing.T) {
	d := Defaults{Namespace: "ns", SchedulerName: "default-scheduler", Pool: "main-x7"}
	worker := Controller{Name: "web", Replicas: 3, Template: Pod{Pool: "main", Shape: Shape{GPUs: 1}, Labels: map[string]string{"l": "1"}}}
	pv, pvc := BoundClaim(Claim{Name: "data", Node: "n-0"}, d)
	for name, obj := range map[string]any{
		"pod-plain":      PodObject(Pod{Name: "p", Shape: Shape{CPU: "1", GPUs: 1}}, d),
		"pod-everything": PodObject(everything(), d),
		"deployment":     Deployment(worker, d),
		"statefulset":    StatefulSet(worker, d),
		"daemonset":      DaemonSet(worker, d),
		"job":            Job(worker, d),
		"volume":         pv,
		"claim":          pvc,
		"claim-waiting":  WaitingClaim(Claim{Name: "data"}, "later", d),
		"storageclass":   WaitingClass("later"),
		"priorityclass":  PriorityClass("high", 1000, ptr(corev1.PreemptNever)),
	} {
		t.Run(name, func(t *testing.T) { golden(t, name, obj) })
	}
}
