package build

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"muster/fakes/nodes"
)

// TestNothingIsShared: a scenario reuses its options, and what it does to one object must not reach another.
func TestNothingIsShared(t *testing.T) {
	p := everything()
	first, second := PodObject(p, Defaults{}), PodObject(p, Defaults{})
	want := first.DeepCopy()
	second.Labels["l"], second.Annotations["a"], second.Spec.NodeSelector["disk"] = "2", "2", "hdd"
	second.Spec.Tolerations[0].Key, second.Spec.TopologySpreadConstraints[0].MaxSkew = "other", 9
	second.Spec.Affinity.PodAntiAffinity = nil
	*second.Spec.TerminationGracePeriodSeconds = 9
	*second.Spec.PreemptionPolicy = corev1.PreemptLowerPriority
	delete(second.Spec.Containers[0].Resources.Requests, "amd.com/gpu")
	if !equality.Semantic.DeepEqual(first, want) {
		t.Error("changing one pod changed another made from the same options")
	}
	if again := PodObject(p, Defaults{}); !equality.Semantic.DeepEqual(again, want) {
		t.Error("changing a pod changed the options it was made from")
	}
}

func TestPoolMeansItsRealName(t *testing.T) {
	for _, tc := range []struct{ short, real, want string }{
		{"main", "main-x7", "main-x7"}, {"main", "", "main"}, {"", "main-x7", ""},
	} {
		pod := PodObject(Pod{Name: "p", Pool: tc.short}, Defaults{Pool: tc.real})
		if got := pod.Spec.NodeSelector[nodes.PoolLabel]; got != tc.want {
			t.Errorf("pool %q, really %q: selects %q; want %q", tc.short, tc.real, got, tc.want)
		}
		tolerates := false
		node := nodes.Object(nodes.Pool{Name: "main-x7"}, 0)
		if tc.want != "" {
			node = nodes.Object(nodes.Pool{Name: tc.want}, 0)
		}
		for _, tol := range pod.Spec.Tolerations {
			tolerates = tolerates || tol.Value == node.Spec.Taints[0].Value && tol.Effect == node.Spec.Taints[0].Effect
		}
		if tolerates != (tc.want != "") {
			t.Errorf("pool %q, really %q: tolerates its taint: %v", tc.short, tc.real, tolerates)
		}
	}
}

func TestGraceDefaultsToNone(t *testing.T) {
	if g := PodObject(Pod{Name: "p"}, Defaults{}).Spec.TerminationGracePeriodSeconds; g == nil || *g != 0 {
		t.Errorf("grace %v; want 0, so that deleted pods are gone at once", g)
	}
}

func TestReplicasAreNumbered(t *testing.T) {
	pods := Replicas(3, Pod{Name: "w", Gang: "g"})
	if got := Names(pods); len(got) != 3 || got[0] != "w-0" || got[2] != "w-2" || pods[1].Gang != "g" {
		t.Errorf("replicas %v", pods)
	}
}
