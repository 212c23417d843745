package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/scheduler/engine"
)

func never(p *corev1.Pod) { n := corev1.PreemptNever; p.Spec.PreemptionPolicy = &n }

func labelled(app string) func(*corev1.Pod) { return func(p *corev1.Pod) { p.Labels["app"] = app } }

func groupPriority(v int32) func(*schedulingv1beta1.PodGroup) {
	return func(g *schedulingv1beta1.PodGroup) { g.Spec.Priority = &v }
}

func disruptedTogether(g *schedulingv1beta1.PodGroup) {
	g.Spec.DisruptionMode = &schedulingv1beta1.DisruptionMode{All: &schedulingv1beta1.AllDisruptionMode{}}
}

func neverPreempts(g *schedulingv1beta1.PodGroup) {
	n := schedulingv1beta1.PreemptNever
	g.Spec.PreemptionPolicy = &n
}

// running places pods of a priority on nodes, one core each, named after their node: a0, a1 and so on.
func running(e *engine.Engine, group string, prio int32, on string, n int, edit ...func(*corev1.Pod)) {
	for i := range n {
		name := fmt.Sprint(on, i)
		if group != "" {
			name = fmt.Sprint(group, "-", on, i)
		}
		e.UpsertPod(pod(name, group, 1, 0, append(edit, bind(on), priority(prio))...))
	}
}

// attacker is a gang of high priority; each member asks for so many cores.
func attacker(e *engine.Engine, quorum, members, cores int, edit ...func(*schedulingv1beta1.PodGroup)) engine.Root {
	e.UpsertGroup(gang("high", int32(quorum), append(edit, groupPriority(100))...))
	for i := range members {
		e.UpsertPod(pod(fmt.Sprint("high-", i), "high", int64(cores), 0, priority(100)))
	}
	return root(engine.KindPodGroup, "high")
}

func budget(name, app string, allowed int32) *policyv1.PodDisruptionBudget {
	b := &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: name}}
	b.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}
	b.Status.DisruptionsAllowed = allowed
	return b
}

// names of the victims, in order; "-" for none.
func victims(p engine.Plan) string {
	var out []string
	for _, v := range p.Victims {
		out = append(out, v.Name)
	}
	slices.Sort(out)
	if len(out) == 0 {
		return "-"
	}
	return strings.Join(out, " ")
}

// TestVictims has two nodes of four cores in two racks. Each case fills them and says who is evicted.
func TestVictims(t *testing.T) {
	for _, tc := range []struct {
		name string
		tell func(e *engine.Engine) engine.Root
		kind engine.PlanKind
		want string
	}{
		{"one node of two", func(e *engine.Engine) engine.Root {
			running(e, "", 0, "a", 4)
			running(e, "", 1, "b", 4)
			return attacker(e, 1, 1, 4)
		}, engine.Evict, "a0 a1 a2 a3"},
		{"the fewest of the lowest priority", func(e *engine.Engine) engine.Root {
			running(e, "", 0, "a", 4)
			running(e, "", 1, "b", 1)
			return attacker(e, 1, 1, 4)
		}, engine.Evict, "a0 a1 a2 a3"},
		{"the fewest of one priority", func(e *engine.Engine) engine.Root {
			running(e, "", 1, "a", 4)
			running(e, "", 1, "b", 1)
			return attacker(e, 1, 1, 4)
		}, engine.Evict, "b0"},
		{"across nodes", func(e *engine.Engine) engine.Root {
			running(e, "", 0, "a", 3)
			running(e, "", 0, "b", 3)
			return attacker(e, 2, 2, 2)
		}, engine.Evict, "a2 b2"},
		{"not even then", func(e *engine.Engine) engine.Root {
			running(e, "", 0, "a", 3)
			running(e, "", 200, "b", 1)
			return attacker(e, 2, 2, 4)
		}, engine.NoPlan, "-"},
		{"equals", func(e *engine.Engine) engine.Root {
			running(e, "", 100, "a", 4)
			running(e, "", 100, "b", 4)
			return attacker(e, 1, 1, 1)
		}, engine.NoPlan, "-"},
		{"never", func(e *engine.Engine) engine.Root {
			running(e, "", 0, "a", 4)
			running(e, "", 0, "b", 4)
			r := attacker(e, 1, 0, 1, neverPreempts)
			e.UpsertPod(pod("high-0", "high", 1, 0, priority(100), never))
			return r
		}, engine.NoPlan, "-"},
		{"pods that never do, of a group that does not say", func(e *engine.Engine) engine.Root {
			running(e, "", 0, "a", 4)
			running(e, "", 0, "b", 4)
			r := attacker(e, 1, 0, 1)
			e.UpsertPod(pod("high-0", "high", 1, 0, priority(100), never))
			return r
		}, engine.NoPlan, "-"},
		{"below the quorum", func(e *engine.Engine) engine.Root {
			running(e, "", 0, "a", 4)
			running(e, "", 0, "b", 4)
			return attacker(e, 2, 1, 1)
		}, engine.NoPlan, "-"},
		{"not for members beyond the quorum", func(e *engine.Engine) engine.Root {
			running(e, "", 0, "a", 4)
			running(e, "", 0, "b", 4)
			return attacker(e, 2, 4, 1)
		}, engine.Evict, "b2 b3"},
		{"for all that can be helped of a basic group", func(e *engine.Engine) engine.Root {
			running(e, "", 0, "a", 4)
			running(e, "", 200, "b", 4)
			return attacker(e, 0, 6, 1)
		}, engine.Evict, "a0 a1 a2 a3"},
		{"a group that goes together", func(e *engine.Engine) engine.Root {
			e.UpsertGroup(gang("low", 2, disruptedTogether))
			running(e, "low", 0, "a", 1)
			running(e, "low", 0, "b", 1)
			running(e, "", 100, "a", 3)
			running(e, "", 100, "b", 3)
			return attacker(e, 1, 1, 1)
		}, engine.Evict, "low-a0 low-b0"},
		{"rather a pod than a group that goes together", func(e *engine.Engine) engine.Root {
			e.UpsertGroup(gang("low", 2, disruptedTogether))
			running(e, "low", 0, "a", 4)
			running(e, "", 0, "b", 4)
			return attacker(e, 1, 1, 1)
		}, engine.Evict, "b3"},
		{"members one by one", func(e *engine.Engine) engine.Root {
			e.UpsertGroup(gang("low", 8))
			running(e, "low", 0, "a", 4)
			running(e, "low", 0, "b", 4)
			return attacker(e, 1, 1, 2)
		}, engine.Evict, "low-b2 low-b3"},
		{"the priority of the group protects", func(e *engine.Engine) engine.Root {
			e.UpsertGroup(gang("low", 4, groupPriority(100)))
			running(e, "low", 0, "a", 4)
			running(e, "", 50, "b", 4)
			return attacker(e, 1, 1, 1)
		}, engine.Evict, "b3"},
		{"a group whose object is gone does not", func(e *engine.Engine) engine.Root {
			running(e, "low", 0, "a", 4)
			running(e, "", 50, "b", 4)
			return attacker(e, 1, 1, 1)
		}, engine.Evict, "low-a3"},
		{"a tree that goes together", func(e *engine.Engine) engine.Root {
			top := composite("top", 1, "", "")
			top.Spec.DisruptionMode = &schedulingv1alpha3.CompositeDisruptionMode{All: &schedulingv1alpha3.AllCompositeDisruptionMode{}}
			e.UpsertComposite(top)
			e.UpsertGroup(gang("low", 1, under("top")))
			e.UpsertGroup(gang("low2", 1, under("top")))
			running(e, "low", 0, "a", 2)
			running(e, "low2", 0, "b", 1)
			running(e, "", 100, "a", 2)
			running(e, "", 100, "b", 3)
			return attacker(e, 1, 1, 1)
		}, engine.Evict, "low-a0 low-a1 low2-b0"},
		{"within the budget", func(e *engine.Engine) engine.Root {
			budgeted(e, 0)
			running(e, "", 0, "a", 4, labelled("web"))
			running(e, "", 50, "b", 4)
			return attacker(e, 1, 1, 1)
		}, engine.Evict, "b3"},
		{"as far as the budget allows", func(e *engine.Engine) engine.Root {
			budgeted(e, 1)
			running(e, "", 0, "a", 4, labelled("web"))
			running(e, "", 50, "b", 4)
			return attacker(e, 2, 2, 1)
		}, engine.Evict, "a3 b3"},
		{"beyond the budget where nothing else helps", func(e *engine.Engine) engine.Root {
			budgeted(e, 0)
			running(e, "", 0, "a", 4, labelled("web"))
			running(e, "", 100, "b", 4)
			return attacker(e, 1, 1, 1)
		}, engine.Evict, "a3"},
		// Found by TestVictimsCostTheLeast, rapid seed 3658315097957038218.
		{"one that exceeds the budget by two rather than two that do so by one", func(e *engine.Engine) engine.Root {
			budgeted(e, 0)
			running(e, "", 0, "a", 2, labelled("web"))
			e.UpsertPod(pod("a2", "", 2, 0, bind("a"), priority(100)))
			e.UpsertGroup(gang("low", 1, disruptedTogether, groupPriority(0)))
			running(e, "low", 0, "b", 2, labelled("web"))
			e.UpsertPod(pod("b2", "", 2, 0, bind("b"), priority(100)))
			return attacker(e, 2, 2, 1)
		}, engine.Evict, "low-b0 low-b1"},
		{"who ends anyway is enough", func(e *engine.Engine) engine.Root {
			running(e, "", 0, "a", 4, deleted)
			running(e, "", 0, "b", 4)
			return attacker(e, 1, 1, 4)
		}, engine.Wait, "-"},
		{"who ends anyway helps", func(e *engine.Engine) engine.Root {
			running(e, "", 0, "a", 2, deleted)
			running(e, "", 0, "b", 4)
			e.UpsertPod(pod("a-x", "", 2, 0, bind("a")))
			return attacker(e, 1, 1, 4)
		}, engine.Evict, "a-x"},
		{"one rack", func(e *engine.Engine) engine.Root {
			running(e, "", 0, "a", 4)
			running(e, "", 0, "b", 3)
			return attacker(e, 2, 2, 2, inOne(rack))
		}, engine.Evict, "b0 b1 b2"},
		{"no rack", func(e *engine.Engine) engine.Root {
			running(e, "", 0, "a", 4)
			running(e, "", 0, "b", 4)
			return attacker(e, 3, 3, 2, inOne(rack))
		}, engine.NoPlan, "-"},
		{"a port", func(e *engine.Engine) engine.Root {
			port := func(p *corev1.Pod) { p.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: 80}} }
			running(e, "", 0, "a", 1, port)
			running(e, "", 100, "b", 1, port)
			r := attacker(e, 1, 0, 1)
			e.UpsertPod(pod("high-0", "high", 1, 0, priority(100), port))
			return r
		}, engine.Evict, "a0"},
		{"anti-affinity of who stands there", func(e *engine.Engine) engine.Root {
			running(e, "", 0, "a", 1, against(rack, "new"))
			running(e, "", 1, "b", 1, against(rack, "new"))
			r := attacker(e, 1, 0, 1)
			e.UpsertPod(pod("high-0", "high", 1, 0, priority(100), labelled("new")))
			return r
		}, engine.Evict, "a0"},
		{"a pod evicts, too", func(e *engine.Engine) engine.Root {
			running(e, "", 0, "a", 4)
			running(e, "", 0, "b", 3)
			e.UpsertPod(pod("alone", "", 3, 0, priority(7)))
			return root(engine.KindPod, "alone")
		}, engine.Evict, "b1 b2"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := engine.New(engine.Options{})
			e.UpsertNode(node("a", 4, 0, rack, "r1"))
			e.UpsertNode(node("b", 4, 0, rack, "r2"))
			r := tc.tell(e)
			if d := e.Solve(r); d.Outcome == engine.Placed {
				t.Fatalf("placed without eviction: %v", d.Placements)
			}
			p := e.Preempt(r)
			if p.Kind != tc.kind || victims(p) != tc.want {
				t.Errorf("%s of %s (%s), want %s of %s", p.Kind, victims(p), p.Why, tc.kind, tc.want)
			}
			if err := e.Check(); err != nil {
				t.Error(err)
			}
			if again := e.Preempt(r); fmt.Sprint(again) != fmt.Sprint(p) {
				t.Errorf("asked twice:\n%+v\n%+v", p, again)
			}
		})
	}
}

// against is required anti-affinity with pods of an app in a domain.
func against(key, app string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{
			TopologyKey: key, LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}}}}}
	}
}

// budgeted lets so many pods of the app web be disrupted.
func budgeted(e *engine.Engine, allowed int32) {
	if err := e.UpsertBudget(budget("b", "web", allowed)); err != nil {
		panic(err)
	}
}
