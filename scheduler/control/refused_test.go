package control

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// TestRefusedPodsSayWhy: a pod of its own that cannot be tried at all is told so, too, by what stands in the way.
func TestRefusedPodsSayWhy(t *testing.T) {
	for name, tc := range map[string]struct {
		pod          func(*corev1.Pod)
		reason, says string
	}{
		"not supported": {func(p *corev1.Pod) {
			p.Spec.Volumes = []corev1.Volume{{Name: "d", VolumeSource: corev1.VolumeSource{RBD: &corev1.RBDVolumeSource{}}}}
		}, corev1.PodReasonUnschedulable, "volume d (rbd)"},
		"not readable": {func(p *corev1.Pod) {
			p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
				NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "k", Operator: corev1.NodeSelectorOpGt, Values: []string{"x", "y"}}}}}}}}
		}, "SchedulerError", "node affinity"},
		"a claim that does not exist": {func(p *corev1.Pod) {
			p.Spec.Volumes = []corev1.Volume{{Name: "d", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "none"}}}}
		}, reasonWaiting, "PersistentVolumeClaim team/none does not exist"},
		"a ResourceClaim that does not exist": {func(p *corev1.Pod) {
			claim := "none"
			p.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "d", ResourceClaimName: &claim}}
		}, reasonWaiting, "ResourceClaim team/none does not exist"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				w.node("a", 2)
				w.start()
				w.pod("p", "", 1, tc.pod)
				w.wait(3 * time.Second)
				w.expectBound()
				if c := w.podCondition("p"); c == nil || c.Status != "False" || c.Reason != tc.reason || !strings.Contains(c.Message, tc.says) {
					t.Errorf("the condition is %+v, want %s with %q", c, tc.reason, tc.says)
				}
			})
		})
	}
}
