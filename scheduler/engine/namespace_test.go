package engine_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"muster/scheduler/engine"
)

// antiIn keeps away from pods of an app in the namespaces of an environment.
func antiIn(name, env string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		antiTo(name, corev1.LabelHostname)(p)
		p.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution[0].NamespaceSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"env": env}}
	}
}

// naming makes the anti-affinity speak about a namespace by name, too.
func naming(ns string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution[0].Namespaces = []string{ns}
	}
}

func of(ns string) func(*corev1.Pod) { return func(p *corev1.Pod) { p.Namespace = ns } }

func space(name, env string) *corev1.Namespace {
	n := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if env != "" {
		n.Labels = map[string]string{"env": env}
	}
	return n
}

// TestNamespaceRelabelled: what rules say follows the labels of namespaces, and who may be helped is woken.
func TestNamespaceRelabelled(t *testing.T) {
	e := engine.New(engine.Options{})
	e.UpsertNode(node("a", 4, 0))
	e.UpsertPod(pod("shop", "", 0, 0, app("web"), of("shop"), bind("a")))
	e.UpsertPod(pod("picky", "", 1, 0, antiIn("web", "prod")))
	r := root(engine.KindPod, "picky")
	for _, step := range []struct {
		name  string
		do    func()
		want  engine.Outcome
		woken bool
	}{
		{"without labels", func() {}, engine.Placed, true},
		{"in the environment", func() { e.UpsertNamespace(space("shop", "prod")) }, engine.Unschedulable, false},
		{"said again", func() { e.UpsertNamespace(space("shop", "prod")) }, engine.Unschedulable, false},
		{"in another", func() { e.UpsertNamespace(space("shop", "test")) }, engine.Placed, true},
		{"back in it", func() { e.UpsertNamespace(space("shop", "prod")) }, engine.Unschedulable, false},
		{"another namespace", func() { e.UpsertNamespace(space("other", "test")) }, engine.Unschedulable, false},
		{"gone", func() { e.DeleteNamespace("shop") }, engine.Placed, true},
	} {
		step.do()
		woken := false
		for _, w := range e.Woken() {
			woken = woken || w == r
		}
		if d := e.Solve(r); d.Outcome != step.want || step.woken && !woken {
			t.Errorf("%s: %s (%s), woken %v", step.name, d.Outcome, d.Reason, woken)
		}
		if err := e.Check(); err != nil {
			t.Errorf("%s: %v", step.name, err)
		}
	}
}

// TestNamespacesThroughHistories relabels namespaces and moves pods about: what is counted is right after each event, and an engine
// told the present state alone answers the same.
func TestNamespacesThroughHistories(t *testing.T) {
	spaces, envs := []string{ns, "shop", "bank"}, []string{"prod", "test", ""}
	rapid.Check(t, func(t *rapid.T) {
		now, pods := map[string]string{}, map[string]*corev1.Pod{}
		told := func(e *engine.Engine) *engine.Engine {
			for _, name := range []string{"a", "b", "c"} {
				e.UpsertNode(node(name, 4, 0))
			}
			for _, name := range slices.Sorted(maps.Keys(now)) {
				e.UpsertNamespace(space(name, now[name]))
			}
			for _, name := range slices.Sorted(maps.Keys(pods)) {
				e.UpsertPod(pods[name])
			}
			return e
		}
		e := told(engine.New(engine.Options{}))
		for i := range rapid.IntRange(1, 30).Draw(t, "events") {
			name := rapid.SampledFrom(spaces).Draw(t, "namespace")
			switch rapid.SampledFrom([]string{"pod", "pod", "delete", "relabel", "relabel", "gone"}).Draw(t, "event") {
			case "pod":
				p := pod(fmt.Sprint("p", i), "", 0, 0, of(name), app(rapid.SampledFrom([]string{"web", "db"}).Draw(t, "app")))
				if rapid.Bool().Draw(t, "anti") {
					antiIn("web", rapid.SampledFrom(envs[:2]).Draw(t, "env"))(p)
				}
				if n := rapid.SampledFrom([]string{"", "a", "b", "c"}).Draw(t, "node"); n != "" {
					bind(n)(p)
				}
				pods[p.Name] = p
				e.UpsertPod(p)
			case "delete":
				if len(pods) > 0 {
					k := rapid.SampledFrom(slices.Sorted(maps.Keys(pods))).Draw(t, "pod")
					e.DeletePod(engine.Key{Namespace: pods[k].Namespace, Name: k})
					delete(pods, k)
				}
			case "relabel":
				now[name] = rapid.SampledFrom(envs).Draw(t, "env")
				e.UpsertNamespace(space(name, now[name]))
			case "gone":
				delete(now, name)
				e.DeleteNamespace(name)
			}
			if err := e.Check(); err != nil {
				t.Fatal(err)
			}
			fresh := told(engine.New(engine.Options{}))
			for k, p := range pods {
				r := engine.Root{Kind: engine.KindPod, Key: engine.Key{Namespace: p.Namespace, Name: k}}
				if d, f := e.Solve(r), fresh.Solve(r); d.Outcome != f.Outcome || d.Reason != f.Reason {
					t.Fatalf("%s: %s (%s) told in turn, %s (%s) told anew", r, d.Outcome, d.Reason, f.Outcome, f.Reason)
				}
			}
		}
	})
}
