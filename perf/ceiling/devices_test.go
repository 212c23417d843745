package ceiling

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func sliceObj(node string, n int) *resourcev1.ResourceSlice {
	s := &resourcev1.ResourceSlice{ObjectMeta: metav1.ObjectMeta{Name: "slice-" + node},
		Spec: resourcev1.ResourceSliceSpec{Driver: "d", NodeName: &node, Pool: resourcev1.ResourcePool{Name: node}}}
	for i := range n {
		s.Spec.Devices = append(s.Spec.Devices, resourcev1.Device{Name: fmt.Sprint("gpu-", i)})
	}
	return s
}

func claimObj(name string, count int64) *resourcev1.ResourceClaim {
	return &resourcev1.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "n", Name: name, UID: types.UID("uid-" + name)},
		Spec: resourcev1.ResourceClaimSpec{Devices: resourcev1.DeviceClaim{Requests: []resourcev1.DeviceRequest{
			{Name: "r", Exactly: &resourcev1.ExactDeviceRequest{DeviceClassName: "gpu", Count: count}}}}}}
}

// claiming is a pod whose claim was generated under the name given; empty: not yet.
func claiming(name, group, claim string) *corev1.Pod {
	p := podObj(name, "1", group)
	template := "t"
	p.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "gpu", ResourceClaimTemplateName: &template}}
	if claim != "" {
		p.Status.ResourceClaimStatuses = []corev1.PodResourceClaimStatus{{Name: "gpu", ResourceClaimName: &claim}}
	}
	return p
}

func TestDevicesAreCountedAndNamed(t *testing.T) {
	s := newStage()
	s.start()
	s.upsertNode(nodeObj("x", "9", "10", ""))
	s.upsertSlice(sliceObj("x", 3))
	s.upsertPod(claiming("a", "", ""))
	s.want(t, map[string]string{}) // its claim is not generated
	s.upsertPod(claiming("a", "", "ca"))
	s.want(t, map[string]string{}) // nor seen
	s.upsertClaim(claimObj("ca", 2))
	s.want(t, map[string]string{"a": "x"})
	if held := s.claims[key{"n", "ca"}].held; fmt.Sprint(held) != "[{d x gpu-0} {d x gpu-1}]" {
		t.Errorf("holds %v", held)
	}
	s.upsertClaim(claimObj("cb", 2))
	s.upsertPod(claiming("b", "", "cb"))
	s.want(t, map[string]string{}) // one device is left
	s.upsertNode(nodeObj("y", "9", "10", ""))
	s.upsertSlice(sliceObj("y", 2))
	s.want(t, map[string]string{"b": "y"})
}

// A device is free again when its claim is gone, not when its pod is: until then the API server calls it allocated.
func TestDevicesAreFreedWithTheirClaim(t *testing.T) {
	s := newStage()
	s.start()
	s.upsertNode(nodeObj("x", "9", "10", ""))
	s.upsertSlice(sliceObj("x", 1))
	s.upsertClaim(claimObj("ca", 1))
	s.upsertPod(claiming("a", "", "ca"))
	s.want(t, map[string]string{"a": "x"})
	written := claimObj("ca", 1)
	written.Status.Allocation = allocation([]request{{"r", 1}}, []device{{"d", "x", "gpu-0"}}, "x")
	s.upsertClaim(written)
	s.upsertClaim(claimObj("cb", 1))
	s.upsertPod(claiming("b", "", "cb"))
	s.deletePod(key{"n", "a"}, "uid-a")
	s.want(t, map[string]string{})
	s.deleteClaim(key{"n", "ca"}, "uid-ca")
	s.want(t, map[string]string{"b": "x"})
}

// What was allocated before the start is held, whichever is seen first.
func TestDevicesOfBefore(t *testing.T) {
	old := claimObj("old", 1)
	old.Status.Allocation = allocation([]request{{"r", 1}}, []device{{"d", "x", "gpu-1"}}, "x")
	for _, claimsFirst := range []bool{true, false} {
		s := newStage()
		s.upsertNode(nodeObj("x", "9", "10", ""))
		if claimsFirst {
			s.upsertClaim(old)
		}
		s.upsertSlice(sliceObj("x", 2))
		if !claimsFirst {
			s.upsertClaim(old)
		}
		s.upsertClaim(claimObj("ca", 1))
		s.upsertPod(claiming("a", "", "ca"))
		s.start()
		s.want(t, map[string]string{"a": "x"})
		if held := s.claims[key{"n", "ca"}].held; len(held) != 1 || held[0].name != "gpu-0" {
			t.Errorf("claims first %v: holds %v", claimsFirst, held)
		}
	}
}

// A gang that does not fit whole gives its devices back.
func TestDevicesOfAGangThatDoesNotFit(t *testing.T) {
	s := newStage()
	s.start()
	s.upsertNode(nodeObj("x", "9", "10", ""))
	s.upsertSlice(sliceObj("x", 2))
	s.upsertGroup(groupObj("g", 3, ""))
	for _, n := range []string{"a", "b", "c"} {
		s.upsertClaim(claimObj("c"+n, 1))
		s.upsertPod(claiming(n, "g", "c"+n))
	}
	s.want(t, map[string]string{})
	if free := len(s.nodes["x"].free); free != 2 {
		t.Errorf("%d devices are free, want 2", free)
	}
}

func TestAllocationFollowsTheRequests(t *testing.T) {
	a := allocation([]request{{"one", 1}, {"two/small", 2}}, []device{{"d", "p", "0"}, {"d", "p", "1"}, {"d", "p", "2"}}, "x")
	have := ""
	for _, r := range a.Devices.Results {
		have += r.Request + "=" + r.Device + " "
	}
	if have != "one=0 two/small=1 two/small=2 " || a.NodeSelector.NodeSelectorTerms[0].MatchFields[0].Values[0] != "x" {
		t.Errorf("%s, %+v", have, a.NodeSelector)
	}
}
