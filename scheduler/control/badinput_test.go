package control

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// TestBadInput: objects that cannot be. The group says what is wrong, none of its pods is bound, others go on, and within an
// hour in which nothing happens it costs neither attempts nor writes.
func TestBadInput(t *testing.T) {
	const (
		unschedulable = schedulingv1beta1.PodGroupReasonUnschedulable
		wrong         = schedulingv1beta1.PodGroupReasonSchedulerError
	)
	for name, tc := range map[string]struct {
		tell   func(w *world)
		reason string
		says   string
		bound  []string // members that were bound before
	}{
		"unknown topology key": {func(w *world) {
			w.gang("bad", 2, inOne("no.such/key"))
			w.members("bad", 2, 1)
		}, unschedulable, "no.such/key", nil},
		"parents in a circle": {func(w *world) {
			w.composite("x", "y")
			w.composite("y", "x")
			w.gang("bad", 2, below("x"))
			w.members("bad", 2, 1)
		}, wrong, "is its own ancestor", nil},
		"parents too deep": {func(w *world) {
			w.composite("c1", "")
			w.composite("c2", "c1")
			w.composite("c3", "c2")
			w.composite("c4", "c3")
			w.gang("bad", 2, below("c4"))
			w.members("bad", 2, 1)
		}, wrong, "levels", nil},
		"members in two domains": {func(w *world) {
			w.gang("bad", 4, inOne(corev1.LabelHostname))
			w.pod("bad-0", "bad", 1, on("a"))
			w.pod("bad-1", "bad", 1, on("b"))
			w.pod("bad-2", "bad", 1)
			w.pod("bad-3", "bad", 1)
		}, wrong, "a, b", []string{"bad-0", "bad-1"}},
		"mixed scheduler names": {func(w *world) {
			w.gang("bad", 2)
			w.pod("bad-0", "bad", 1)
			w.pod("bad-1", "bad", 1, askFor("other"))
		}, wrong, "its pods ask for several schedulers: muster, other", nil},
		"mixed priorities": {func(w *world) {
			w.gang("bad", 2)
			w.pod("bad-0", "bad", 1)
			w.pod("bad-1", "bad", 1, priority(3))
		}, wrong, "priority 3 of pod team/bad-1", nil},
		"unsupported volume": {func(w *world) {
			w.gang("bad", 2)
			w.members("bad", 2, 1, func(p *corev1.Pod) {
				p.Spec.Volumes = []corev1.Volume{{Name: "old", VolumeSource: corev1.VolumeSource{RBD: &corev1.RBDVolumeSource{}}}}
			})
		}, unschedulable, "rbd", nil},
		"class whose expression cannot be compiled": {func(w *world) {
			w.class("broken", "device.nonsense")
			w.claiming("broken")
		}, unschedulable, "DeviceClass broken: selector 0 cannot be compiled", nil},
		"class whose expression fails": {func(w *world) {
			w.class("failing", `device.attributes["other.example.com"].colour == "red"`)
			w.claiming("failing")
		}, unschedulable, "fails on device", nil},
		"missing class": {func(w *world) { w.claiming("gone") }, unschedulable, "DeviceClass gone does not exist", nil},
		"missing template": {func(w *world) {
			w.gang("bad", 2)
			w.members("bad", 2, 1, func(p *corev1.Pod) {
				template := "gone"
				p.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "c", ResourceClaimTemplateName: &template}}
			})
		}, reasonWaiting, "gone", nil},
		"counters that do not add up": {func(w *world) {
			w.slice("odd", "a", func(s *resourcev1.ResourceSlice) {
				s.Spec.Devices[0].ConsumesCounters = []resourcev1.DeviceCounterConsumption{{CounterSet: "none", Counters: map[string]resourcev1.Counter{"memory": {Value: resource.MustParse("1")}}}}
			})
			w.class("odd", `device.driver == "odd.example.com"`)
			w.claiming("odd")
		}, unschedulable, "uses up counter memory of set none, which does not exist", nil},
		"slice that disappears in use": {func(w *world) {
			w.slice("frail", "a", nil)
			w.class("frail", `device.driver == "frail.example.com"`)
			w.gang("bad", 2)
			w.claimOf("bad-0", "frail", 1)
			w.claimOf("bad-1", "frail", 1)
			w.pod("bad-0", "bad", 1, use("bad-0"))
			w.pod("bad-1", "bad", 1, use("bad-1"))
			w.wait(3 * time.Second)
			w.must(w.client.ResourceV1().ResourceSlices().Delete(w.t.Context(), "frail", gone))
			w.wait(time.Second) // slices and pods are heard of through watches of their own
			w.deletePod("bad-1")
			w.pod("bad-1", "bad", 1, use("bad-1"), func(p *corev1.Pod) { p.UID = "uid-second" })
		}, reasonScheduled, "", []string{"bad-0"}},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				w.devices("a", 8, 2)
				w.devices("b", 8, 2)
				w.start()
				tc.tell(w)
				w.wait(15 * time.Second)
				c := w.condition("bad")
				if c.Reason != tc.reason || !strings.Contains(c.Message, tc.says) {
					t.Errorf("the group says %s: %q, want %s: %q", c.Reason, c.Message, tc.reason, tc.says)
				}
				w.expectBound(tc.bound...)
				before, writes := attempts(w), w.written()
				w.wait(time.Hour)
				if a, n := attempts(w)-before, w.written()-writes; a > 0 || n > 0 {
					t.Errorf("in an hour without news: %g attempts, %d writes", a, n)
				}
				w.ownClaims("sound", 2)
				w.wait(3 * time.Second)
				w.expectBound(append(tc.bound, "sound-0", "sound-1")...)
				w.expectCondition("sound", metav1.ConditionTrue, reasonScheduled)
			})
		})
	}
}

func (w *world) written() int { _, n := w.requests(); return n }

func inOne(key string) func(*schedulingv1beta1.PodGroup) {
	return func(g *schedulingv1beta1.PodGroup) {
		g.Spec.SchedulingConstraints = &schedulingv1beta1.PodGroupSchedulingConstraints{Topology: []schedulingv1beta1.TopologyConstraint{{Key: key}}}
	}
}

func below(parent string) func(*schedulingv1beta1.PodGroup) {
	return func(g *schedulingv1beta1.PodGroup) { g.Spec.ParentCompositePodGroupName = &parent }
}

// composite is basic; parent may be empty.
func (w *world) composite(name, parent string) {
	w.t.Helper()
	c := &schedulingv1alpha3.CompositePodGroup{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: name, UID: types.UID("uid-" + name), Generation: 1}}
	c.Spec.SchedulingPolicy.Basic = &schedulingv1alpha3.CompositeBasicSchedulingPolicy{}
	if parent != "" {
		c.Spec.ParentCompositePodGroupName = &parent
	}
	_, err := w.client.SchedulingV1alpha3().CompositePodGroups(ns).Create(w.t.Context(), c, metav1.CreateOptions{})
	w.must(err)
}

func (w *world) class(name, expression string) {
	w.t.Helper()
	c := &resourcev1.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: name}}
	c.Spec.Selectors = []resourcev1.DeviceSelector{{CEL: &resourcev1.CELDeviceSelector{Expression: expression}}}
	_, err := w.client.ResourceV1().DeviceClasses().Create(w.t.Context(), c, metav1.CreateOptions{})
	w.must(err)
}

// slice is a pool with two devices of a driver of its own on a node.
func (w *world) slice(name, node string, edit func(*resourcev1.ResourceSlice)) {
	w.t.Helper()
	s := &resourcev1.ResourceSlice{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: resourcev1.ResourceSliceSpec{
		Driver: name + ".example.com", NodeName: &node, Pool: resourcev1.ResourcePool{Name: name, ResourceSliceCount: 1},
		Devices: []resourcev1.Device{{Name: "one"}, {Name: "two"}}}}
	if edit != nil {
		edit(s)
	}
	_, err := w.client.ResourceV1().ResourceSlices().Create(w.t.Context(), s, metav1.CreateOptions{})
	w.must(err)
}

// claiming is the gang bad of two, each with a claim on a device of the class.
func (w *world) claiming(class string) {
	w.t.Helper()
	w.gang("bad", 2)
	for _, name := range []string{"bad-0", "bad-1"} {
		c := &resourcev1.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: name, UID: types.UID("uid-" + name)}}
		c.Spec.Devices.Requests = []resourcev1.DeviceRequest{{Name: "r", Exactly: &resourcev1.ExactDeviceRequest{
			DeviceClassName: class, AllocationMode: resourcev1.DeviceAllocationModeExactCount, Count: 1}}}
		_, err := w.client.ResourceV1().ResourceClaims(ns).Create(w.t.Context(), c, metav1.CreateOptions{})
		w.must(err)
		w.pod(name, "bad", 1, use(name))
	}
}
