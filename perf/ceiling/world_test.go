package ceiling

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// stage is a world and what it has sent.
type stage struct {
	*world
	sent []*job
}

func newStage() *stage {
	s := &stage{}
	s.world = newWorld([]string{DefaultName}, func(j *job) { s.sent = append(s.sent, j) })
	return s
}

func list(cpu, pods string) corev1.ResourceList {
	l := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}
	if pods != "" {
		l[corev1.ResourcePods] = resource.MustParse(pods)
	}
	return l
}

func nodeObj(name, cpu, pods, rack string) *corev1.Node {
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"rack": rack}},
		Status: corev1.NodeStatus{Allocatable: list(cpu, pods)}}
}

func podObj(name, cpu, group string) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "n", Name: name, UID: types.UID("uid-" + name)},
		Spec: corev1.PodSpec{SchedulerName: DefaultName,
			Containers: []corev1.Container{{Name: "c", Resources: corev1.ResourceRequirements{Requests: list(cpu, "")}}}}}
	if group != "" {
		p.Spec.SchedulingGroup = &corev1.PodSchedulingGroup{PodGroupName: &group}
	}
	return p
}

func groupObj(name string, quorum int32, topology string) *schedulingv1beta1.PodGroup {
	g := &schedulingv1beta1.PodGroup{ObjectMeta: metav1.ObjectMeta{Namespace: "n", Name: name, UID: types.UID("uid-" + name)}}
	if quorum > 0 {
		g.Spec.SchedulingPolicy.Gang = &schedulingv1beta1.GangSchedulingPolicy{MinCount: quorum}
	} else {
		g.Spec.SchedulingPolicy.Basic = &schedulingv1beta1.BasicSchedulingPolicy{}
	}
	if topology != "" {
		g.Spec.SchedulingConstraints = &schedulingv1beta1.PodGroupSchedulingConstraints{Topology: []schedulingv1beta1.TopologyConstraint{{Key: topology}}}
	}
	return g
}

// confirm what has been sent, as the API server's answers do, and return where each pod went.
func (s *stage) confirm() map[string]string {
	out := map[string]string{}
	for len(s.sent) > 0 {
		j := s.sent[0]
		s.sent = s.sent[1:]
		if j.pod == nil {
			out["group "+j.group.name] = "True"
			continue
		}
		out[j.pod.key.name] = j.node
		s.confirmed(j.pod)
	}
	return out
}

func (s *stage) want(t *testing.T, want map[string]string) {
	t.Helper()
	s.settle()
	if have := s.confirm(); fmt.Sprint(have) != fmt.Sprint(want) {
		t.Errorf("sent %v, want %v", have, want)
	}
}

func TestNothingBeforeEverythingIsRead(t *testing.T) {
	s := newStage()
	s.upsertPod(podObj("a", "1", ""))
	s.upsertNode(nodeObj("x", "1", "10", ""))
	s.want(t, map[string]string{})
	bound := podObj("b", "1", "")
	bound.Spec.NodeName = "x"
	s.upsertPod(bound)
	s.start()
	s.want(t, map[string]string{}) // b has the room
	s.deletePod(key{"n", "b"}, "uid-b")
	s.want(t, map[string]string{"a": "x"})
}

func TestCountersHold(t *testing.T) {
	s := newStage()
	s.start()
	s.upsertNode(nodeObj("x", "2", "10", ""))
	s.upsertNode(nodeObj("y", "2", "1", ""))
	for i := range 4 {
		s.upsertPod(podObj(fmt.Sprint("p", i), "1", ""))
	}
	s.want(t, map[string]string{"p0": "x", "p1": "x", "p2": "y"}) // y has room for one pod
	done := podObj("p0", "1", "")
	done.Spec.NodeName, done.Status.Phase = "x", corev1.PodSucceeded
	s.upsertPod(done)
	s.want(t, map[string]string{"p3": "x"})
}

func TestGangsWaitForTheirQuorum(t *testing.T) {
	s := newStage()
	s.start()
	s.upsertNode(nodeObj("x", "3", "10", ""))
	s.upsertPod(podObj("a", "1", "g"))
	s.upsertPod(podObj("b", "1", "g"))
	s.want(t, map[string]string{}) // no group yet
	s.upsertGroup(groupObj("g", 3, ""))
	s.want(t, map[string]string{})
	gated := podObj("c", "1", "g")
	gated.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "wait"}}
	s.upsertPod(gated)
	s.want(t, map[string]string{})
	s.upsertPod(podObj("c", "1", "g"))
	s.want(t, map[string]string{"a": "x", "b": "x", "c": "x", "group g": "True"})
	s.upsertPod(podObj("d", "1", "g"))
	s.want(t, map[string]string{}) // no room
	s.upsertNode(nodeObj("y", "1", "10", ""))
	s.want(t, map[string]string{"d": "y"}) // and no second condition
}

func TestGangsGoWholeOrNotAtAll(t *testing.T) {
	s := newStage()
	s.start()
	s.upsertNode(nodeObj("x", "2", "10", ""))
	s.upsertGroup(groupObj("large", 3, ""))
	s.upsertGroup(groupObj("small", 2, ""))
	for _, p := range []string{"a", "b", "c"} {
		s.upsertPod(podObj(p, "1", "large"))
	}
	s.want(t, map[string]string{})
	s.upsertPod(podObj("d", "1", "small"))
	s.upsertPod(podObj("e", "1", "small"))
	s.want(t, map[string]string{"d": "x", "e": "x", "group small": "True"})
	s.upsertNode(nodeObj("y", "3", "10", ""))
	s.want(t, map[string]string{"a": "y", "b": "y", "c": "y", "group large": "True"})
}

func TestQuorumBeforeTheRest(t *testing.T) {
	s := newStage()
	s.upsertNode(nodeObj("x", "2", "10", ""))
	s.upsertGroup(groupObj("g", 2, ""))
	for _, p := range []string{"a", "b", "c"} {
		s.upsertPod(podObj(p, "1", "g"))
	}
	s.start()
	s.want(t, map[string]string{"a": "x", "b": "x", "group g": "True"})
}

func TestBasicGroupsAsTheyCome(t *testing.T) {
	s := newStage()
	s.start()
	s.upsertNode(nodeObj("x", "9", "10", ""))
	s.upsertGroup(groupObj("g", 0, ""))
	s.upsertPod(podObj("a", "1", "g"))
	s.want(t, map[string]string{"a": "x", "group g": "True"})
	s.upsertPod(podObj("b", "1", "g"))
	s.want(t, map[string]string{"b": "x"})
}

func TestOneDomain(t *testing.T) {
	s := newStage()
	s.start()
	for _, n := range []string{"a1 A", "a2 A", "b1 B", "b2 B"} {
		s.upsertNode(nodeObj(n[:2], "1", "10", n[3:]))
	}
	s.upsertPod(podObj("other", "1", ""))
	s.want(t, map[string]string{"other": "a1"})
	s.upsertGroup(groupObj("g", 2, "rack"))
	s.upsertPod(podObj("p", "1", "g"))
	s.upsertPod(podObj("q", "1", "g"))
	s.want(t, map[string]string{"p": "b1", "q": "b2", "group g": "True"})
	s.upsertPod(podObj("r", "1", "g"))
	s.want(t, map[string]string{}) // its domain is full, the other is not
}

func TestSelectorsTaintsAndPorts(t *testing.T) {
	s := newStage()
	s.start()
	tainted := nodeObj("tainted", "9", "10", "A")
	tainted.Spec.Taints = []corev1.Taint{{Key: "pool", Value: "p", Effect: corev1.TaintEffectNoSchedule}}
	s.upsertNode(tainted)
	s.upsertNode(nodeObj("x", "9", "10", "A"))
	s.upsertNode(nodeObj("y", "9", "10", "B"))
	s.upsertPod(podObj("plain", "1", ""))
	selects := podObj("selects", "1", "")
	selects.Spec.NodeSelector = map[string]string{"rack": "B"}
	s.upsertPod(selects)
	tolerates := podObj("tolerates", "1", "")
	tolerates.Spec.Tolerations = []corev1.Toleration{{Key: "pool", Operator: corev1.TolerationOpExists}}
	s.upsertPod(tolerates)
	for _, name := range []string{"port1", "port2", "port3"} {
		p := podObj(name, "1", "")
		p.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: 80, Protocol: corev1.ProtocolTCP}}
		s.upsertPod(p)
	}
	s.want(t, map[string]string{"plain": "x", "selects": "y", "tolerates": "tainted", "port1": "x", "port2": "y"})
	s.upsertPod(func() *corev1.Pod { p := podObj("foreign", "1", ""); p.Spec.SchedulerName = "other"; return p }())
	s.want(t, map[string]string{})
}

// A pod that could not be bound is placed again, and not for ever.
func TestFailures(t *testing.T) {
	s := newStage()
	s.start()
	s.upsertNode(nodeObj("x", "1", "10", ""))
	s.upsertPod(podObj("a", "1", ""))
	for i := range tries {
		if len(s.sent) != 1 {
			t.Fatalf("try %d: %d jobs", i, len(s.sent))
		}
		j := s.sent[0]
		s.sent = nil
		s.failed(j.pod)
		s.settle()
	}
	s.upsertPod(podObj("b", "1", ""))
	s.want(t, map[string]string{"b": "x"}) // a has been given up, and its room is free
}
