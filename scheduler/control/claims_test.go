package control

import (
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// lateClaim makes a claim that waits for its first consumer, and a pod that uses it.
func (w *world) lateClaim() {
	w.t.Helper()
	wait, class := storagev1.VolumeBindingWaitForFirstConsumer, "late"
	_, err := w.client.StorageV1().StorageClasses().Create(w.t.Context(), &storagev1.StorageClass{
		ObjectMeta: metav1.ObjectMeta{Name: class}, Provisioner: "p", VolumeBindingMode: &wait}, metav1.CreateOptions{})
	w.must(err)
	_, err = w.client.CoreV1().PersistentVolumeClaims(ns).Create(w.t.Context(), &corev1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "c"}, Spec: corev1.PersistentVolumeClaimSpec{StorageClassName: &class}}, metav1.CreateOptions{})
	w.must(err)
	w.pod("p", "", 1, func(p *corev1.Pod) {
		p.Spec.Volumes = []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "c"}}}}
	})
}

// amend changes the claim.
func (w *world) amend(change func(*corev1.PersistentVolumeClaim)) {
	w.t.Helper()
	claims := w.client.CoreV1().PersistentVolumeClaims(ns)
	c, err := claims.Get(w.t.Context(), "c", metav1.GetOptions{})
	w.must(err)
	change(c)
	_, err = claims.Update(w.t.Context(), c, metav1.UpdateOptions{})
	w.must(err)
}

// expectChosen waits for the claim to name one of the nodes.
func (w *world) expectChosen(nodes ...string) string {
	w.t.Helper()
	c, err := w.client.CoreV1().PersistentVolumeClaims(ns).Get(w.t.Context(), "c", metav1.GetOptions{})
	w.must(err)
	if !slices.Contains(nodes, c.Annotations[selectedNode]) {
		w.t.Fatalf("the claim names %q, want one of %q", c.Annotations[selectedNode], nodes)
	}
	return c.Annotations[selectedNode]
}

func (w *world) volume(name, only string) {
	w.t.Helper()
	v := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if only != "" {
		v.Spec.NodeAffinity = &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{
			{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: corev1.LabelHostname, Operator: corev1.NodeSelectorOpIn, Values: []string{only}}}}}}}
	}
	_, err := w.client.CoreV1().PersistentVolumes().Create(w.t.Context(), v, metav1.CreateOptions{})
	w.must(err)
}

func bindTo(volume string) func(*corev1.PersistentVolumeClaim) {
	return func(c *corev1.PersistentVolumeClaim) { c.Spec.VolumeName, c.Status.Phase = volume, corev1.ClaimBound }
}

func TestClaimsOfTheFirstConsumer(t *testing.T) {
	for name, volumeFirst := range map[string]bool{"volume first": true, "claim first": false} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				w.node("a", 2)
				w.start()
				w.lateClaim()
				w.wait(time.Second)
				w.expectBound()
				w.expectChosen("a")
				if volumeFirst {
					w.volume("v", "a")
				}
				w.amend(bindTo("v"))
				w.wait(time.Second)
				if !volumeFirst {
					w.expectBound() // nothing is known of the volume yet
					w.volume("v", "a")
					w.wait(time.Second)
				}
				w.expectBound("p")
			})
		})
	}
}

// TestClaimThatIsOfNoUse: when the claim turns out to be of no use on the node that was chosen, the pod is planned anew at
// once, and not when the wait for its claims is over.
func TestClaimThatIsOfNoUse(t *testing.T) {
	for _, tc := range []struct {
		name string
		do   func(w *world, chosen string)
		want func(w *world, chosen string)
	}{
		{"provisioning gave the node up", func(w *world, chosen string) {
			n, err := w.client.CoreV1().Nodes().Get(w.t.Context(), chosen, metav1.GetOptions{})
			w.must(err)
			n.Spec.Unschedulable = true // so that the other one is chosen now
			_, err = w.client.CoreV1().Nodes().Update(w.t.Context(), n, metav1.UpdateOptions{})
			w.must(err)
			w.wait(time.Second)
			w.amend(func(c *corev1.PersistentVolumeClaim) { c.Annotations = nil })
		}, func(w *world, chosen string) {
			other := map[string]string{"a": "b", "b": "a"}[chosen]
			w.expectChosen(other)
			w.volume("v", other)
			w.amend(bindTo("v"))
			w.wait(time.Second)
			w.expectBound("p")
		}},
		{"bound to a volume that another node reaches", func(w *world, chosen string) {
			w.volume("v", map[string]string{"a": "b", "b": "a"}[chosen])
			w.amend(bindTo("v"))
		}, func(w *world, chosen string) {
			w.expectBound("p")
			if n := w.get("p").Spec.NodeName; n == chosen {
				w.t.Errorf("bound to %s, which the volume does not reach", n)
			}
		}},
		{"the node is gone", func(w *world, chosen string) {
			w.must(w.client.CoreV1().Nodes().Delete(w.t.Context(), chosen, gone))
			w.amend(func(c *corev1.PersistentVolumeClaim) { c.Annotations = nil })
		}, func(w *world, chosen string) { w.expectChosen(map[string]string{"a": "b", "b": "a"}[chosen]) }},
		{"the claim is gone", func(w *world, _ string) {
			w.must(w.client.CoreV1().PersistentVolumeClaims(ns).Delete(w.t.Context(), "c", gone))
		}, func(w *world, _ string) {
			if c := w.podCondition("p"); c == nil || c.Reason != reasonWaiting || !strings.Contains(c.Message, "does not exist") {
				w.t.Errorf("the condition is %+v", c)
			}
		}},
		{"the claim is being deleted", func(w *world, _ string) {
			w.amend(func(c *corev1.PersistentVolumeClaim) { now := metav1.Now(); c.DeletionTimestamp = &now })
		}, func(w *world, _ string) {
			if c := w.podCondition("p"); c == nil || c.Reason != reasonWaiting || !strings.Contains(c.Message, "is being deleted") {
				w.t.Errorf("the condition is %+v", c)
			}
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				w.node("a", 2)
				w.node("b", 2)
				w.start()
				w.lateClaim()
				w.wait(time.Second)
				chosen := w.expectChosen("a", "b")
				tc.do(w, chosen)
				w.wait(3 * time.Second)
				tc.want(w, chosen)
			})
		})
	}
}
