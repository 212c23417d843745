package env

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"
	kubetesting "k8s.io/client-go/testing"
	"pgregory.net/rapid"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/workloads/build"
)

var listAll = metav1.ListOptions{}

func typesUID(s string) types.UID { return types.UID(s) }

// Names of everything that belongs to a scenario are legal whatever the scenario is called, and differ between
// scenarios.
func TestNamesAreLegalAndUnique(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[a-z][a-z0-9]{0,12}(-[a-z0-9]{1,12}){0,6}`)
		a, b := name.Draw(t, "a"), name.Draw(t, "b")
		pool := nodes.Pool{Name: "main", RackKey: "unique", ZoneKey: "unique"}
		scopeOf := func(n string) history.Scope {
			return ScopeOf(suites.Scenario{Name: n, Needs: suites.Needs{
				Pools: []nodes.Pool{pool}, PriorityClasses: map[string]int32{"high": 1},
			}}, "run", 1, history.SchedulerProfile{})
		}
		s := scopeOf(a)
		if bad := validation.IsDNS1123Label(s.Namespaces[0]); len(bad) > 0 {
			t.Fatalf("namespace %q: %v", s.Namespaces[0], bad)
		}
		if bad := validation.IsDNS1123Subdomain(nodes.Name(s.Pools["main"], 99999)); len(bad) > 0 {
			t.Fatalf("node of %q: %v", s.Pools["main"], bad)
		}
		if bad := validation.IsValidLabelValue(s.Pools["main"]); len(bad) > 0 {
			t.Fatalf("pool label %q: %v", s.Pools["main"], bad)
		}
		if bad := validation.IsQualifiedName(s.Names["topology/main/rack"]); len(bad) > 0 {
			t.Fatalf("rack key %q: %v", s.Names["topology/main/rack"], bad)
		}
		if a != b && s.Namespaces[0] == scopeOf(b).Namespaces[0] {
			t.Fatalf("scenarios %s and %s share the namespace %s", a, b, s.Namespaces[0])
		}
	})
}

func TestSeedDependsOnRunAndName(t *testing.T) {
	first := SeedOf(1, "a")
	if again := SeedOf(1, "a"); first != again || SeedOf(1, "a") == SeedOf(2, "a") || SeedOf(1, "a") == SeedOf(1, "b") {
		t.Error("the seed of a scenario does not depend on exactly the run's seed and its name")
	}
}

func TestPrepareMakesWhatIsNeeded(t *testing.T) {
	s := prepared(t, nil)
	begin := s.journal.events[0]
	if begin.Verb != history.VerbBegin || begin.Action.Scope == nil || begin.Action.Scope.Namespaces[0] != s.Namespace() {
		t.Errorf("the record does not begin with the scope: %+v", begin)
	}
	p := s.Pool("main")
	if len(p.Nodes()) != 2 || p.Spec().RackKey == "unique" || p.Spec().RackKey == "" {
		t.Errorf("pool: nodes %v, rack key %q", p.Nodes(), p.Spec().RackKey)
	}
	node, err := s.client.Resource(nodesGVR).Get(t.Context(), p.Nodes()[0], metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if node.GetLabels()[p.Spec().RackKey] == "" || node.GetLabels()[nodes.PoolLabel] != p.Name() {
		t.Errorf("labels %v", node.GetLabels())
	}
	if _, err := s.client.Resource(priorityClassesGVR).Get(t.Context(), s.PriorityClass("high"), metav1.GetOptions{}); err != nil {
		t.Error(err)
	}
	if _, err := s.client.Resource(serviceAccountsGVR).Namespace(s.Namespace()).Get(t.Context(), "default", metav1.GetOptions{}); err != nil {
		t.Errorf("pods could not be admitted: %v", err)
	}
	if got := p.Slots(build.Shape{CPU: "1", GPUs: 1}); got != 4 {
		t.Errorf("%d slots of one GPU, want 4", got)
	}
	if got := p.Slots(build.Shape{CPU: "3"}); got != 2 {
		t.Errorf("%d slots of 3 CPUs, want 2", got)
	}
}

func TestSlotsCountWhatOthersHold(t *testing.T) {
	s := prepared(t, nil)
	p := s.Pool("main")
	pod := build.PodObject(build.Pod{Name: "held", Shape: build.Shape{GPUs: 1}, NodeName: p.Nodes()[0]}, build.Defaults{Namespace: "elsewhere"})
	obj, err := toUnstructured(pod)
	if err != nil {
		t.Fatal(err)
	}
	obj.SetUID("held")
	obj.SetResourceVersion("9")
	s.journal.see(podsGVR, history.VerbAdded, obj)
	if got := p.Slots(build.Shape{GPUs: 1}); got != 3 {
		t.Errorf("%d slots, want 3: one GPU is held by a pod of another namespace", got)
	}
}

func TestPodsAreBuiltForTheStage(t *testing.T) {
	s := prepared(t, nil)
	if err := s.CreateGang(t.Context(), build.Gang{Name: "g", Quorum: 2, PriorityClass: "high"}); err != nil {
		t.Fatal(err)
	}
	if err := s.CreatePods(t.Context(), build.Pod{Name: "a", Gang: "g", Pool: "main", PriorityClass: "high"}); err != nil {
		t.Fatal(err)
	}
	obj, err := s.client.Resource(podsGVR).Namespace(s.Namespace()).Get(t.Context(), "a", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var pod corev1.Pod
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(obj.Object, &pod); err != nil {
		t.Fatal(err)
	}
	if pod.Spec.SchedulerName != "mine" || pod.Spec.NodeSelector[nodes.PoolLabel] != s.Pool("main").Name() ||
		pod.Spec.PriorityClassName != s.PriorityClass("high") || pod.Spec.SchedulingGroup == nil {
		t.Errorf("pod: %+v", pod.Spec)
	}
	e := s.journal.last()
	if e.Verb != history.VerbCreate || e.Action.Response.Code != 201 || e.Action.Scenario != scenario.Name || e.Object != nil {
		t.Errorf("recorded as %+v", e)
	}
	if err := s.CreatePods(t.Context(), build.Pod{Name: "b", Pool: "nowhere"}); err == nil {
		t.Error("a pod for an unknown pool was created")
	}
}

func TestRefusalsAreRecordedWithTheirCauses(t *testing.T) {
	s := prepared(t, nil)
	s.client.PrependReactor("create", "pods", func(kubetesting.Action) (bool, runtime.Object, error) {
		return true, nil, apierrors.NewInvalid(corev1.SchemeGroupVersion.WithKind("Pod").GroupKind(), "a", nil)
	})
	err := s.CreatePods(t.Context(), build.Pod{Name: "a"})
	if err == nil || !strings.Contains(err.Error(), "creating pods "+s.Namespace()+"/a") {
		t.Errorf("got %v", err)
	}
	e := s.journal.last()
	if e.Action.Response.Code != 422 || e.Action.Response.Reason != "Invalid" || len(e.Object) == 0 {
		t.Errorf("recorded as %+v", e)
	}
	resp, err := s.Try(t.Context(), "bad pod", suites.Attempt{Verb: "create", GVR: podsGVR, Object: pod("x")})
	if err != nil || resp.Code != 422 || s.journal.last().Action.Label != "bad pod" {
		t.Errorf("try: %+v, %v", resp, err)
	}
	s.client.PrependReactor("create", "pods", func(kubetesting.Action) (bool, runtime.Object, error) {
		return true, nil, errors.New("connection reset")
	})
	if resp, err := s.Try(t.Context(), "no answer", suites.Attempt{Verb: "create", GVR: podsGVR, Object: pod("x")}); err == nil || resp.Code != 0 {
		t.Errorf("a request without an answer gave %+v, %v", resp, err)
	}
}

func pod(name string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": name}}}
}

func TestEnvironmentValuesAndSecretsAreNotStored(t *testing.T) {
	p := pod("x")
	p.Object["spec"] = map[string]any{"containers": []any{map[string]any{"name": "c", "env": []any{map[string]any{"name": "K", "value": "hunter2"}}}}}
	if got := string(storable(p)); strings.Contains(got, "hunter2") || !strings.Contains(got, `"name":"c"`) {
		t.Errorf("stored as %s", got)
	}
	if got := storable(&unstructured.Unstructured{Object: map[string]any{"kind": "Secret"}}); got != nil {
		t.Errorf("a secret is stored as %s", got)
	}
}

func TestWaitsEndAsRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, nil)
		never := func(*history.View) bool { return false }
		if s.Await(t.Context(), "the moon", time.Minute, never) {
			t.Error("held")
		}
		if a := s.journal.last().Action; a.Held == nil || *a.Held || a.Label != "the moon" {
			t.Errorf("a wait in vain is recorded as %+v", a)
		}
		if !s.Await(t.Context(), "nothing", time.Minute, func(*history.View) bool { return true }) {
			t.Error("not held")
		}
		if a := s.journal.last().Action; a.Held == nil || !*a.Held {
			t.Errorf("a wait that held is recorded as %+v", a)
		}
		marked := make(chan bool)
		go func() {
			marked <- s.Await(t.Context(), "a mark", time.Minute, func(v *history.View) bool { _, ok := v.Mark("here"); return ok })
		}()
		synctest.Wait()
		s.Mark(t.Context(), "here")
		if !<-marked {
			t.Error("the mark was not seen")
		}

		_, before := s.journal.Now()
		s.Hold(t.Context(), "to be sure", 20*time.Second)
		if e := s.journal.last(); e.Mono-before < 20*time.Second || !*e.Action.Held {
			t.Errorf("held for %s: %+v", e.Mono-before, e.Action)
		}

		ctx, cancel := context.WithCancel(t.Context())
		go func() { time.Sleep(time.Second); cancel() }()
		if s.Await(ctx, "cut short", time.Minute, never) {
			t.Error("held")
		}
		if a := s.journal.last().Action; a.Held != nil {
			t.Errorf("a wait that was cut short says it ended %v", *a.Held)
		}
		s.Hold(ctx, "cut short", time.Minute)
		if a := s.journal.last().Action; *a.Held {
			t.Error("a hold that was cut short says it held")
		}
	})
}

func TestBounds(t *testing.T) {
	s := newStage(t, func(o *Options) { o.Canary = func() time.Duration { return 100 * time.Millisecond } })
	if got := s.Settle(4); got != 25*time.Second {
		t.Errorf("settle bound of 4: %s", got)
	}
	if got := s.Prompt(10); got != 8*time.Second {
		t.Errorf("prompt bound of 10: %s", got)
	}
	o := newStage(t, func(o *Options) { o.Scope.SettleRoot, o.Scope.SettleBase = 0, 3 })
	if got := o.Settle(100); got != 3*time.Second {
		t.Errorf("settle bound the user set: %s", got)
	}
	if got := o.Prompt(10); got != 5*time.Second {
		t.Errorf("prompt bound without a canary: %s", got)
	}
}

func TestMistakesOfScenarios(t *testing.T) {
	s := newStage(t, nil)
	for name, f := range map[string]func(){
		"an undeclared pool":  func() { s.Pool("other") },
		"an undeclared class": func() { s.PriorityClass("low") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
	if err := s.RestartScheduler(t.Context()); err == nil {
		t.Error("a scheduler that is not there was restarted")
	}
	if err := s.PatchNode(t.Context(), "somebody-elses", []byte("{}")); err == nil {
		t.Error("a node of somebody else was patched")
	}
	if _, err := s.Try(t.Context(), "", suites.Attempt{Verb: "create", GVR: podsGVR, Object: pod("x")}); err == nil {
		t.Error("an attempt without a label was made")
	}
}

func TestEndAndOmit(t *testing.T) {
	s := newStage(t, nil)
	s.End(t.Context(), "Executed", "")
	if e := s.journal.last(); e.Verb != history.VerbEnd || e.Action.Label != "Executed" || s.journal.synced != 1 {
		t.Errorf("the end is recorded as %+v after %d syncs", e, s.journal.synced)
	}
	Omit(s.journal, "other", "NotAsked", "not asked for")
	events := s.journal.events[len(s.journal.events)-2:]
	if events[0].Action.Scope.Scenario != "other" || events[1].Action.Response.Message != "not asked for" {
		t.Errorf("an omission is recorded as %+v", events)
	}
}

// What a run has made for its scenarios is told from what other runs have made for the same ones, and from everything else.
func TestBelongs(t *testing.T) {
	scenarios := []string{"gang-late", "gang-late-member", "a-scenario-whose-name-is-longer-than-thirty-three-characters"}
	rapid.Check(t, func(t *rapid.T) {
		mine := Belongs(scenarios[:2], "mine")
		scenario, tag := rapid.SampledFrom(scenarios).Draw(t, "scenario"), rapid.SampledFrom([]string{"mine", "another"}).Draw(t, "tag")
		scope := ScopeOf(suites.Scenario{Name: scenario, Needs: suites.Needs{
			Pools: []nodes.Pool{{Name: "p"}}, PriorityClasses: map[string]int32{"high": 1}}}, tag, 1, history.SchedulerProfile{})
		want := tag == "mine" && scenario != scenarios[2]
		suffix := rapid.StringMatching(`(-[a-z0-9]{1,8}){0,3}`).Draw(t, "suffix")
		for _, name := range []string{scope.Namespaces[0] + suffix, scope.Pools["p"] + suffix, scope.Names["priorityclass/high"]} {
			if got := mine(name); got != want {
				t.Errorf("%s of %s in a run tagged %s: %t", name, scenario, tag, got)
			}
		}
		if other := rapid.StringMatching(`[a-z0-9-]{0,20}`).Draw(t, "other"); mine(other) {
			t.Errorf("%q is taken for a run's own", other)
		}
	})
}
