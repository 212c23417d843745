package control

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	kubetesting "k8s.io/client-go/testing"
)

// heldOn makes a claim that is allocated on a node and reserved for pods.
func (w *world) heldOn(name, node string, pods ...string) {
	w.t.Helper()
	w.claimFor(name)
	c := w.claim(name)
	c.Finalizers = []string{resourcev1.Finalizer}
	c.Status.Allocation = &resourcev1.AllocationResult{NodeSelector: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
		MatchFields: []corev1.NodeSelectorRequirement{{Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: []string{node}}}}}}}
	c.Status.Allocation.Devices.Results = []resourcev1.DeviceRequestAllocationResult{{Request: "r", Driver: "gpu.example.com", Pool: node, Device: "gpu-0"}}
	for _, p := range pods {
		c.Status.ReservedFor = append(c.Status.ReservedFor, resourcev1.ResourceClaimConsumerReference{Resource: "pods", Name: p, UID: types.UID("uid-" + p)})
	}
	_, err := w.client.ResourceV1().ResourceClaims(ns).Update(w.t.Context(), c, metav1.UpdateOptions{})
	w.must(err)
}

// TestNobodyIsBoundWithAClaimBeingReleased: there is room for a gang after all while its allocation is being taken back.
func TestNobodyIsBoundWithAClaimBeingReleased(t *testing.T) {
	for name, refusals := range map[string]int{"released late": 3, "never released": 1000} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				w.devices("a", 1, 1)
				w.pod("filler", "", 1, on("a"))
				w.heldOn("g-0", "a", "g-0")
				w.start()
				n := 0
				w.client.PrependReactor("get", "resourceclaims", func(kubetesting.Action) (bool, runtime.Object, error) {
					w.mu.Lock()
					defer w.mu.Unlock()
					n++
					return n <= refusals, nil, errInternal
				})
				w.answer = func(pod, _ string, _ int) (error, bool) {
					if got := w.allocated(); len(got) != 1 {
						t.Errorf("when %s is bound, allocated are %q", pod, got)
					}
					return nil, false
				}
				w.gang("g", 1)
				w.pod("g-0", "g", 1, use("g-0"))
				w.wait(60 * time.Millisecond)
				w.deletePod("filler")
				w.wait(time.Minute)
				w.expectBound("g-0")
				w.mu.Lock()
				refusals = 0
				w.mu.Unlock()
				w.expectAllocated("g-0")
			})
		})
	}
}

// TestReservationsOfOtherSchedulersStand: a pod of another scheduler that has no node yet may be about to be bound.
func TestReservationsOfOtherSchedulersStand(t *testing.T) {
	inBubble(t, func(w *world) {
		w.devices("a", 1, 1)
		w.devices("b", 8, 1)
		w.pod("filler", "", 1, on("a"))
		w.heldOn("shared", "a", "theirs")
		w.pod("theirs", "", 0, use("shared"), askFor("other"))
		w.start()
		w.gang("g", 1)
		w.pod("g-0", "g", 1, use("shared"))
		w.wait(time.Minute)
		w.expectBound("filler")
		if r := w.claim("shared").Status.ReservedFor; len(r) != 1 || w.claim("shared").Status.Allocation == nil {
			t.Errorf("reserved for %v", r)
		}
	})
}
