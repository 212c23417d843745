package control

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	kubetesting "k8s.io/client-go/testing"
	"k8s.io/utils/ptr"
)

var claimsResource = resourcev1.SchemeGroupVersion.WithResource("resourceclaims")

// devices makes a node with so many devices of its own, and the class any.
func (w *world) devices(node string, cpu int64, n int) {
	w.t.Helper()
	w.node(node, cpu)
	s := &resourcev1.ResourceSlice{ObjectMeta: metav1.ObjectMeta{Name: "pool-" + node}, Spec: resourcev1.ResourceSliceSpec{
		Driver: "gpu.example.com", NodeName: &node, Pool: resourcev1.ResourcePool{Name: node, ResourceSliceCount: 1}}}
	for i := range n {
		s.Spec.Devices = append(s.Spec.Devices, resourcev1.Device{Name: fmt.Sprint("gpu-", i)})
	}
	_, err := w.client.ResourceV1().ResourceSlices().Create(w.t.Context(), s, metav1.CreateOptions{})
	w.must(err)
	if _, err := w.client.ResourceV1().DeviceClasses().Get(w.t.Context(), "any", metav1.GetOptions{}); err == nil {
		return
	}
	c := &resourcev1.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: "any"}}
	c.Spec.ExtendedResourceName = ptr.To("example.com/gpu")
	_, err = w.client.ResourceV1().DeviceClasses().Create(w.t.Context(), c, metav1.CreateOptions{})
	w.must(err)
}

// claimFor makes a claim that asks for one device.
func (w *world) claimFor(name string) {
	w.t.Helper()
	w.claimOf(name, "any", 1)
}

// wide makes a claim that asks for so many devices.
func (w *world) wide(name string, n int64) {
	w.t.Helper()
	w.claimOf(name, "any", n)
}

// claimOf makes a claim that asks for so many devices of a class, at once: what a claim asks for never changes.
func (w *world) claimOf(name, class string, n int64) {
	w.t.Helper()
	c := &resourcev1.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: name, UID: types.UID("uid-" + name)}}
	c.Spec.Devices.Requests = []resourcev1.DeviceRequest{{Name: "r", Exactly: &resourcev1.ExactDeviceRequest{
		DeviceClassName: class, AllocationMode: resourcev1.DeviceAllocationModeExactCount, Count: n}}}
	_, err := w.client.ResourceV1().ResourceClaims(ns).Create(w.t.Context(), c, metav1.CreateOptions{})
	w.must(err)
}

func use(claim string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "c", ResourceClaimName: &claim}}
	}
}

func share(claim string) func(*schedulingv1beta1.PodGroup) {
	return func(g *schedulingv1beta1.PodGroup) {
		g.Spec.ResourceClaims = []schedulingv1beta1.PodGroupResourceClaim{{Name: "c", ResourceClaimName: &claim}}
	}
}

// ownClaims makes a gang of which each member has a claim of its own.
func (w *world) ownClaims(group string, n int) {
	w.gang(group, int32(n))
	for i := range n {
		name := fmt.Sprintf("%s-%d", group, i)
		w.claimFor(name)
		w.pod(name, group, 1, use(name))
	}
}

func (w *world) claim(name string) *resourcev1.ResourceClaim {
	w.t.Helper()
	c, err := w.client.ResourceV1().ResourceClaims(ns).Get(w.t.Context(), name, metav1.GetOptions{})
	w.must(err)
	return c
}

// allocated are the claims that have devices, sorted; a device that two claims have is an error.
func (w *world) allocated() []string {
	w.t.Helper()
	// Of the tracker, so that it can be asked while a request is being answered.
	list, err := w.client.Tracker().List(claimsResource, resourcev1.SchemeGroupVersion.WithKind("ResourceClaim"), ns)
	w.must(err)
	out, holders := []string{}, map[string]string{}
	for _, c := range list.(*resourcev1.ResourceClaimList).Items {
		if c.Status.Allocation == nil {
			if len(c.Status.ReservedFor)+len(c.Finalizers) > 0 {
				w.t.Errorf("claim %s without allocation is reserved for %v, with finalizers %v", c.Name, c.Status.ReservedFor, c.Finalizers)
			}
			continue
		}
		out = append(out, c.Name)
		for _, r := range c.Status.Allocation.Devices.Results {
			d := r.Pool + "/" + r.Device
			if other := holders[d]; other != "" {
				w.t.Errorf("claims %s and %s both have %s", other, c.Name, d)
			}
			holders[d] = c.Name
		}
	}
	slices.Sort(out)
	return out
}

func (w *world) expectAllocated(names ...string) {
	w.t.Helper()
	if got := w.allocated(); !slices.Equal(got, append([]string{}, names...)) {
		w.t.Fatalf("allocated are %q, want %q", got, names)
	}
}

// onClaims lets answer decide about writes to claims, the n-th from 1; nil for yes.
func (w *world) onClaims(answer func(sub string, n int) error) (writes *int) {
	n := 0
	w.client.PrependReactor("update", "resourceclaims", func(a kubetesting.Action) (bool, runtime.Object, error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		n++
		if answer != nil {
			if err := answer(a.GetSubresource(), n); err != nil {
				return true, nil, err
			}
		}
		return false, nil, nil
	})
	return &n
}
