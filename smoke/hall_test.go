package smoke

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
)

const (
	hallNodes   = 6
	hallDevices = 4 // on each node
	hallRack    = 2 // nodes
	rackLabel   = "topology.kubernetes.io/rack"
)

// hall is a real cluster of racks that gangs fill whose members hold a device each, through a claim of their own or through
// an extended resource.
type hall struct {
	t      *testing.T
	client kubernetes.Interface
	random *rand.Rand
	gangs  map[string]party // that came and have not left
	racks  map[string]string
	next   int
	plans  map[string][]string // the victims of the last plan for each question
}

type party struct {
	size        int
	constrained bool
}

// must fails the test on an error.
func (h *hall) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

// fill lets gangs of one to five members come until four wait.
func (h *hall) fill() {
	for {
		h.rest()
		waiting := 4 - (len(h.gangs) - len(h.look().running))
		if waiting <= 0 {
			return
		}
		for range waiting {
			h.next++
			p := party{1 + h.random.IntN(5), h.random.IntN(3) == 0}
			name := fmt.Sprintf("g%03d", h.next)
			h.arrive(name, p, fmt.Sprint("rank-", h.random.IntN(3)), h.random.IntN(3) > 0)
			h.gangs[name] = p
		}
	}
}

// arrive creates a gang. Its claims come first, since a member without one would be held.
func (h *hall) arrive(name string, p party, class string, claims bool) {
	ctx, o, grace := h.t.Context(), metav1.CreateOptions{}, int64(1)
	g := &schedulingv1beta1.PodGroup{ObjectMeta: metav1.ObjectMeta{Name: name}}
	g.Spec.SchedulingPolicy.Gang = &schedulingv1beta1.GangSchedulingPolicy{MinCount: int32(p.size)}
	g.Spec.PriorityClassName = class
	if class != "high" { // defaulting precedes admission: the class's policy has to be spelt out
		never := schedulingv1beta1.PreemptNever
		g.Spec.PreemptionPolicy = &never
	}
	if p.constrained {
		g.Spec.SchedulingConstraints = &schedulingv1beta1.PodGroupSchedulingConstraints{Topology: []schedulingv1beta1.TopologyConstraint{{Key: rackLabel}}}
	}
	if h.next%3 == 0 {
		g.Spec.DisruptionMode = &schedulingv1beta1.DisruptionMode{All: &schedulingv1beta1.AllDisruptionMode{}}
	}
	_, err := h.client.SchedulingV1beta1().PodGroups(metav1.NamespaceDefault).Create(ctx, g, o)
	h.must(err)
	for i := range p.size {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("%s-%d", name, i)}}
		pod.Spec = corev1.PodSpec{SchedulerName: "muster", PriorityClassName: class, TerminationGracePeriodSeconds: &grace, SchedulingGroup: &corev1.PodSchedulingGroup{PodGroupName: &name},
			Containers: []corev1.Container{{Name: "main", Image: "registry.k8s.io/pause:3.10"}}}
		if claims {
			h.claim(pod.Name)
			pod.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "gpu", ResourceClaimName: &pod.Name}}
			pod.Spec.Containers[0].Resources.Claims = []corev1.ResourceClaim{{Name: "gpu"}}
		} else {
			one := corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("1")}
			pod.Spec.Containers[0].Resources = corev1.ResourceRequirements{Requests: one, Limits: one}
		}
		_, err := h.client.CoreV1().Pods(metav1.NamespaceDefault).Create(ctx, pod, o)
		h.must(err)
	}
}

// claim creates a claim to one device.
func (h *hall) claim(name string) {
	c := &resourcev1.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Name: name}}
	c.Spec.Devices.Requests = []resourcev1.DeviceRequest{{Name: "gpu", Exactly: &resourcev1.ExactDeviceRequest{DeviceClassName: "gpu.nvidia.com"}}}
	_, err := h.client.ResourceV1().ResourceClaims(metav1.NamespaceDefault).Create(h.t.Context(), c, metav1.CreateOptions{})
	h.must(err)
}

// empty lets so many gangs end that run: some finish, others are deleted with what they have.
func (h *hall) empty(n int) {
	running := h.look().running
	names := make([]string, 0, len(running))
	for name := range running {
		if _, ok := h.gangs[name]; ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names[:min(n, len(names))] {
		if h.random.IntN(2) == 0 {
			for i := range h.gangs[name].size {
				_, err := h.client.CoreV1().Pods(metav1.NamespaceDefault).Patch(h.t.Context(), fmt.Sprintf("%s-%d", name, i), types.MergePatchType,
					[]byte(`{"status":{"phase":"Succeeded"}}`), metav1.PatchOptions{}, "status")
				h.must(err)
			}
		} else {
			h.remove(name, h.gangs[name].size)
		}
		delete(h.gangs, name)
	}
}

// remove deletes a gang.
func (h *hall) remove(name string, size int) {
	now := int64(0)
	for i := range size {
		member := fmt.Sprintf("%s-%d", name, i)
		h.must(h.client.CoreV1().Pods(metav1.NamespaceDefault).Delete(h.t.Context(), member, metav1.DeleteOptions{GracePeriodSeconds: &now}))
		if err := h.client.ResourceV1().ResourceClaims(metav1.NamespaceDefault).Delete(h.t.Context(), member, metav1.DeleteOptions{}); !gone(err) {
			h.must(err)
		}
	}
	h.must(h.client.SchedulingV1beta1().PodGroups(metav1.NamespaceDefault).Delete(h.t.Context(), name, metav1.DeleteOptions{}))
}
