package control

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// cases is how many histories are told: MUSTER_CASES, 200 by default, of which a tenth is enough here by default.
func cases() int {
	if n, err := strconv.Atoi(os.Getenv("MUSTER_CASES")); err == nil {
		return n
	}
	return 20
}

// Whatever an API server refuses, loses the answer to, or is told by somebody else, and however often the scheduler is
// killed: no node is overcommitted, and in the end every gang for which there is room stands whole and says so.
func TestTroubledServerAndKilledScheduler(t *testing.T) {
	for seed := range cases() {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			inBubble(t, func(w *world) { trouble(w, rand.New(rand.NewPCG(uint64(seed), 1))) })
		})
	}
}

func trouble(w *world, random *rand.Rand) {
	const cores = 4
	refusals := []error{errConflict, errTooMany, errInternal, errTimeout, errForbid}
	killed, fate := false, rand.New(rand.NewPCG(random.Uint64(), 2)) // fate is drawn by the binders, one at a time
	w.answer = func(string, string, int) (error, bool) {
		switch {
		case killed:
			return errForbid, false
		case fate.IntN(3) == 0:
			return refusals[fate.IntN(len(refusals))], fate.IntN(2) == 0
		}
		return nil, false
	}
	nodes, gangs, free := 2+random.IntN(4), 0, 0
	for i := range nodes {
		w.node(fmt.Sprintf("n%d", i), cores)
	}
	free = nodes * cores
	w.start()
	var names []string
	for free > 0 && gangs < 6 {
		n := 1 + random.IntN(min(free, 5))
		name := fmt.Sprintf("g%d", gangs)
		w.gang(name, int32(n))
		w.members(name, n, 1)
		names = append(names, name)
		gangs, free = gangs+1, free-n
		w.wait(time.Duration(random.IntN(400)) * time.Millisecond)
		if random.IntN(2) == 0 {
			w.mu.Lock()
			killed = true // what a dead process had not asked for is never asked for
			w.mu.Unlock()
			w.end()
			w.mu.Lock()
			killed = false
			w.mu.Unlock()
			w.start()
		}
	}
	w.wait(5 * time.Minute)
	list, err := w.client.CoreV1().Pods(ns).List(w.t.Context(), metav1.ListOptions{})
	w.must(err)
	used := map[string]int{}
	for _, p := range list.Items {
		if p.Spec.NodeName == "" {
			w.t.Errorf("pod %s is not bound, although there is room", p.Name)
		} else if used[p.Spec.NodeName]++; used[p.Spec.NodeName] > cores {
			w.t.Errorf("node %s is overcommitted", p.Spec.NodeName)
		}
	}
	for _, name := range names {
		w.expectCondition(name, metav1.ConditionTrue, reasonScheduled)
	}
}

// A gang whose place depends on other pods is tried again after any change; its own attempts are none.
func TestRulesDoNotMakeItSpin(t *testing.T) {
	inBubble(t, func(w *world) {
		apart := func(p *corev1.Pod) {
			p.Labels = map[string]string{"app": "x"}
			p.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{
				LabelSelector: &metav1.LabelSelector{MatchLabels: p.Labels}, TopologyKey: corev1.LabelHostname}}}}
		}
		w.node("a", 4)
		w.node("b", 4)
		w.start()
		w.gang("g", 3)
		w.members("g", 3, 1, apart)
		w.gang("h", 3)
		w.members("h", 3, 1, apart)
		w.wait(time.Second)
		_, writes := w.requests()
		before := attempts(w)
		w.wait(time.Hour)
		if _, after := w.requests(); after != writes || attempts(w) != before {
			w.t.Errorf("within an hour in which nothing happened: %d conditions, %g attempts", after-writes, attempts(w)-before)
		}
		w.expectBound()
		w.node("c", 4)
		w.wait(time.Second)
		if n := len(w.bound()); n != 3 {
			t.Errorf("%d pods are bound, want one of the gangs", n)
		}
	})
}

// attempts that the scheduler's metrics tell of.
func attempts(w *world) (n float64) {
	w.t.Helper()
	families, err := w.s.opts.Metrics.Registry.Gather()
	w.must(err)
	for _, f := range families {
		if f.GetName() == "scheduler_schedule_attempts_total" {
			for _, m := range f.GetMetric() {
				n += m.GetCounter().GetValue()
			}
		}
	}
	return n
}

func TestCompositeGroups(t *testing.T) {
	inBubble(t, func(w *world) {
		parent := "tree"
		c := &schedulingv1alpha3.CompositePodGroup{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: parent, UID: "uid-tree", Generation: 1}}
		c.Spec.SchedulingPolicy.Gang = &schedulingv1alpha3.CompositeGangSchedulingPolicy{MinGroupCount: 2}
		below := func(g *schedulingv1beta1.PodGroup) { g.Spec.ParentCompositePodGroupName = &parent }
		w.node("a", 3)
		w.start()
		w.gang("left", 2, below)
		w.members("left", 2, 1)
		w.wait(3 * time.Second)
		if c := w.expectCondition("left", metav1.ConditionFalse, reasonWaiting); c.Message == "" {
			t.Error("nothing says that the parent is missing")
		}
		composites := w.client.SchedulingV1alpha3().CompositePodGroups(ns)
		_, err := composites.Create(t.Context(), c, metav1.CreateOptions{})
		w.must(err)
		w.gang("right", 2, below)
		w.members("right", 2, 1)
		w.wait(3 * time.Second)
		w.expectBound()
		w.node("b", 1)
		w.wait(3 * time.Second)
		w.expectBound("left-0", "left-1", "right-0", "right-1")
		w.expectCondition("left", metav1.ConditionTrue, reasonScheduled)
		w.expectCondition("right", metav1.ConditionTrue, reasonScheduled)
		c, err = composites.Get(t.Context(), parent, metav1.GetOptions{})
		w.must(err)
		if len(c.Status.Conditions) != 1 || c.Status.Conditions[0].Status != metav1.ConditionTrue || c.Status.Conditions[0].Type != "CompositePodGroupInitiallyScheduled" {
			t.Errorf("conditions of the tree: %+v", c.Status.Conditions)
		}
	})
}

// A tree of too many levels is said to be invalid, on every composite of it.
func TestTooDeep(t *testing.T) {
	inBubble(t, func(w *world) {
		w.node("a", 3)
		w.start()
		composites := w.client.SchedulingV1alpha3().CompositePodGroups(ns)
		names := []string{"one", "two", "three", "four"}
		for i, name := range names {
			c := &schedulingv1alpha3.CompositePodGroup{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: name, UID: types.UID("uid-" + name), Generation: 1}}
			c.Spec.SchedulingPolicy.Basic = &schedulingv1alpha3.CompositeBasicSchedulingPolicy{}
			if i > 0 {
				c.Spec.ParentCompositePodGroupName = &names[i-1]
			}
			_, err := composites.Create(t.Context(), c, metav1.CreateOptions{})
			w.must(err)
		}
		w.gang("deep", 1, func(g *schedulingv1beta1.PodGroup) { g.Spec.ParentCompositePodGroupName = &names[3] })
		w.members("deep", 1, 1)
		w.wait(3 * time.Second)
		w.expectBound()
		w.expectCondition("deep", metav1.ConditionFalse, schedulingv1beta1.PodGroupReasonSchedulerError)
		for _, name := range names {
			c, err := composites.Get(t.Context(), name, metav1.GetOptions{})
			w.must(err)
			if len(c.Status.Conditions) != 1 || c.Status.Conditions[0].Status != metav1.ConditionFalse || c.Status.Conditions[0].Reason != reasonInvalid {
				t.Errorf("conditions of composite %s: %+v", name, c.Status.Conditions)
			}
		}
	})
}
