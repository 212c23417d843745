package control

import (
	"fmt"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestClaimsAreReservedBeforeAnyBind(t *testing.T) {
	inBubble(t, func(w *world) {
		w.devices("a", 8, 2)
		w.devices("b", 8, 2)
		w.answer = func(pod, _ string, _ int) (error, bool) {
			if got := w.allocated(); len(got) != 4 {
				t.Errorf("when %s is to be bound, allocated are %v", pod, got)
			}
			return nil, false
		}
		w.start()
		w.ownClaims("g", 4)
		w.wait(time.Minute)
		w.expectBound("g-0", "g-1", "g-2", "g-3")
		w.expectAllocated("g-0", "g-1", "g-2", "g-3")
		c := w.claim("g-2")
		if r := c.Status.ReservedFor; len(r) != 1 || r[0].UID != "uid-g-2" || r[0].Resource != "pods" || !slices.Contains(c.Finalizers, resourcev1.Finalizer) {
			t.Errorf("%+v", c)
		}
		w.expectCondition("g", metav1.ConditionTrue, reasonScheduled)
		w.ownClaims("h", 1)
		w.wait(time.Minute)
		w.expectCondition("h", metav1.ConditionFalse, schedulingv1beta1.PodGroupReasonUnschedulable)
		w.expectAllocated("g-0", "g-1", "g-2", "g-3")
	})
}

func TestGroupClaimIsWrittenOnce(t *testing.T) {
	inBubble(t, func(w *world) {
		w.devices("a", 8, 2)
		writes := w.onClaims(nil)
		w.start()
		w.claimFor("shared")
		w.gang("g", 5, share("shared"))
		w.members("g", 5, 1, use("shared"))
		w.wait(time.Minute)
		w.expectBound("g-0", "g-1", "g-2", "g-3", "g-4")
		if r := w.claim("shared").Status.ReservedFor; len(r) != 1 || r[0].Resource != "podgroups" || r[0].APIGroup != "scheduling.k8s.io" || r[0].UID != "uid-g" {
			t.Errorf("reserved for %+v", r)
		}
		if *writes != 2 {
			t.Errorf("%d writes, want one for the finalizer and one for the status", *writes)
		}
	})
}

// TestClaimRefused: a claim that cannot be written keeps the whole gang from being bound, and leaves nothing behind.
func TestClaimRefused(t *testing.T) {
	forbidden := apierrors.NewForbidden(resourcev1.Resource("resourceclaims"), "x", fmt.Errorf("no"))
	for name, refusal := range map[string]error{"403": forbidden, "500": errInternal} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				refuse := true
				w.onClaims(func(sub string, n int) error {
					if refuse && sub == "status" && n%4 == 0 {
						return refusal
					}
					return nil
				})
				w.devices("a", 8, 4)
				w.start()
				w.ownClaims("g", 4)
				w.wait(30 * time.Second)
				w.mu.Lock()
				refuse = false
				w.mu.Unlock()
				w.wait(time.Minute)
				w.expectBound("g-0", "g-1", "g-2", "g-3")
				w.expectAllocated("g-0", "g-1", "g-2", "g-3")
			})
		})
	}
}

// TestBindRefusedGivesDevicesBack: the pod's claim is released before anybody plans with its device.
func TestBindRefusedGivesDevicesBack(t *testing.T) {
	inBubble(t, func(w *world) {
		refuse := true
		w.answer = func(pod, _ string, _ int) (error, bool) {
			if refuse && pod == "g-1" {
				return errForbid, false
			}
			return nil, false
		}
		w.devices("a", 8, 2)
		w.start()
		w.ownClaims("g", 2)
		w.wait(20 * time.Second)
		w.expectBound("g-0")
		w.expectAllocated("g-0")
		w.mu.Lock()
		refuse = false
		w.mu.Unlock()
		w.wait(time.Minute)
		w.expectBound("g-0", "g-1")
		w.expectAllocated("g-0", "g-1")
	})
}

// TestRestartGoesOnWithTheSameDevices: what is allocated and reserved is used by the next process.
func TestRestartGoesOnWithTheSameDevices(t *testing.T) {
	inBubble(t, func(w *world) {
		stuck := true
		w.answer = func(string, string, int) (error, bool) {
			if stuck {
				return errTooMany, false
			}
			return nil, false
		}
		w.devices("a", 8, 2)
		w.start()
		w.ownClaims("g", 2)
		w.wait(time.Second)
		before := w.claim("g-0").Status.Allocation
		w.end()
		w.mu.Lock()
		stuck = false
		w.mu.Unlock()
		w.start()
		w.wait(time.Minute)
		w.expectBound("g-0", "g-1")
		if after := w.claim("g-0").Status.Allocation; before == nil || after == nil || !sameDevices(before, after) {
			t.Errorf("had %v before and %v after", before, after)
		}
	})
}

// TestStaleAllocationIsRevoked: a claim is allocated on a node that is full by now; the gang goes elsewhere.
func TestStaleAllocationIsRevoked(t *testing.T) {
	inBubble(t, func(w *world) {
		w.devices("a", 1, 1)
		w.devices("b", 8, 2)
		w.pod("filler", "", 1, on("a"))
		w.claimFor("g-0")
		c := w.claim("g-0")
		c.Finalizers = []string{resourcev1.Finalizer}
		c.Status.Allocation = &resourcev1.AllocationResult{NodeSelector: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
			MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{"a"}}}}}}}
		c.Status.Allocation.Devices.Results = []resourcev1.DeviceRequestAllocationResult{{Request: "r", Driver: "gpu.example.com", Pool: "a", Device: "gpu-0"}}
		c.Status.ReservedFor = []resourcev1.ResourceClaimConsumerReference{{Resource: "pods", Name: "g-0", UID: "uid-g-0"}}
		_, err := w.client.ResourceV1().ResourceClaims(ns).Update(t.Context(), c, metav1.UpdateOptions{})
		w.must(err)
		w.start()
		w.gang("g", 1)
		w.pod("g-0", "g", 1, use("g-0"))
		w.wait(time.Minute)
		w.expectBound("filler", "g-0")
		if r := w.claim("g-0").Status.Allocation.Devices.Results[0]; r.Pool != "b" {
			t.Errorf("allocated from pool %s", r.Pool)
		}
	})
}

// TestExtendedResourceThroughDevices: a claim is made for the pod, and the pod is told.
func TestExtendedResourceThroughDevices(t *testing.T) {
	inBubble(t, func(w *world) {
		w.devices("a", 8, 1)
		w.start()
		gpu := func(p *corev1.Pod) {
			p.Spec.Containers[0].Resources.Requests["example.com/gpu"] = *resource.NewQuantity(1, resource.DecimalSI)
		}
		w.pod("p", "", 1, gpu)
		w.wait(time.Minute)
		w.expectBound("p")
		list := w.allocated()
		if len(list) != 1 {
			t.Fatalf("allocated are %q", list)
		}
		p, err := w.client.CoreV1().Pods(ns).Get(t.Context(), "p", metav1.GetOptions{})
		w.must(err)
		s := p.Status.ExtendedResourceClaimStatus
		if s == nil || s.ResourceClaimName != list[0] || len(s.RequestMappings) != 1 || s.RequestMappings[0].RequestName != "container-0-request-1" {
			t.Errorf("the pod was told %+v of claim %s", s, list[0])
		}
		w.pod("q", "", 1, gpu)
		w.wait(time.Minute)
		w.expectBound("p")
	})
}
