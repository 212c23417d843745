package kittest

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

// longest is what a scheduler that does nothing at all may cost a scenario: a few settle bounds.
const longest = 5 * time.Minute

// Drives runs the tests that the drives of a profile have to pass. witness is a scenario that says how few may be evicted;
// later are marks of stories that stand for a later moment and that no drive makes.
func Drives(t *testing.T, profile string, stories []Story, witness string, later ...string) {
	t.Run("make the marks of the stories", func(t *testing.T) { makeMarks(t, stories, later) })
	t.Run("wait", func(t *testing.T) { wait(t, profile) })
	t.Run("look for late victims", func(t *testing.T) { lookOn(t, stories, witness) })
}

// makeMarks: every mark a good story has is one its scenario makes, in that order. A judge that waits for a mark nobody
// makes would be Inconclusive for ever.
func makeMarks(t *testing.T, stories []Story, later []string) {
	for _, s := range stories {
		if !s.Good() {
			continue
		}
		made := Drive(t, s.Scenario, true).Marks
		left := made
		for _, a := range s.Tell.View().Actions {
			if a.Value.Verb != history.VerbMark || slices.Contains(later, a.Value.Name) {
				continue
			}
			at := slices.Index(left, a.Value.Name)
			if at < 0 {
				t.Errorf("%s/%s: no drive makes the mark %q there (made: %q)", s.Scenario, s.Name, a.Value.Name, made)
				continue
			}
			left = left[at+1:]
		}
	}
}

// wait: waiting in vain is the scheduler's affair, no error of the harness, and no scenario waits for ever; on a scheduler
// that does what it should, holds alone decide how long a scenario takes, and its weight says it.
func wait(t *testing.T, profile string) {
	for _, s := range Of(profile) {
		if e := Drive(t, s.Name, false); e.Waited > longest {
			t.Errorf("%s waits %s for a scheduler that does nothing", s.Name, e.Waited)
		}
		if e := Drive(t, s.Name, true); int(e.Held.Seconds()) > s.Weight {
			t.Errorf("%s holds for %s and weighs %d", s.Name, e.Held, s.Weight)
		}
	}
}

// lookOn: who says how few may be evicted looks on when the last pod is bound.
func lookOn(t *testing.T, stories []Story, witness string) {
	late := LateVictims(t, stories)
	for name, what := range late {
		if e := Drive(t, name, true); e.Looked < kit.Look {
			t.Errorf("%s looks on for %s, want %s: of an eviction just before its end its judge says %s", name, e.Looked, kit.Look, what)
		}
	}
	if late[witness] == "" {
		t.Errorf("%s does not mind an eviction that was not needed; found: %v", witness, late)
	}
}

// Drive runs a scenario without a cluster: every deed succeeds, and every wait answers at once, with yes or with no.
func Drive(t *testing.T, scenario string, answers bool) *Driven {
	t.Helper()
	s, _ := suites.ScenarioByName(scenario)
	e := &Driven{t: t, answers: answers, pools: map[string]nodes.Pool{}, classes: s.Needs.PriorityClasses, names: map[string]bool{}}
	for _, p := range s.Needs.Pools {
		p.RackKey, p.ZoneKey = "muster.dev/rack", "muster.dev/zone"
		e.pools[p.Name] = p
	}
	if err := s.Drive(t.Context(), e); err != nil {
		t.Errorf("driving %s: %v", scenario, err)
	}
	return e
}

// Driven is the suites.Env of a Drive, and what became of it.
type Driven struct {
	suites.Env // what is not told here panics

	// Marks it made. Held and Waited are how long it held, and held or waited, in all; Looked is how long it had held since
	// the last wait when it made its last mark.
	Marks                []string
	Held, Waited, Looked time.Duration

	t       *testing.T
	answers bool
	pools   map[string]nodes.Pool
	classes map[string]int32
	names   map[string]bool // of pods, and resource/name of other objects
	since   time.Duration   // held since the last wait
}

// Namespace of the scenario.
func (e *Driven) Namespace() string { return "ns" }

// SchedulerName of its pods.
func (e *Driven) SchedulerName() string { return "mine" }

// PriorityClass by its short name, which has to be declared.
func (e *Driven) PriorityClass(short string) string {
	if _, ok := e.classes[short]; !ok {
		e.t.Errorf("priority class %q is not declared", short)
	}
	return short
}

// Pool by its short name, which has to be declared.
func (e *Driven) Pool(name string) suites.Pool {
	p, ok := e.pools[name]
	if !ok {
		e.t.Fatalf("pool %q is not declared", name)
	}
	return pool{p}
}

// AddNodes makes a pool larger.
func (e *Driven) AddNodes(_ context.Context, name string, n int) error {
	p := e.pools[name]
	p.Count += n
	e.pools[name] = p
	return nil
}

// CreatePods wants each to be of a declared pool and class, and to be created once.
func (e *Driven) CreatePods(_ context.Context, pods ...build.Pod) error {
	for _, p := range pods {
		e.Pool(p.Pool)
		if _, ok := e.classes[p.PriorityClass]; p.PriorityClass != "" && !ok && !e.names["priorityclasses/"+p.PriorityClass] {
			e.t.Errorf("priority class %q is not declared", p.PriorityClass)
		}
		key := p.Name
		if p.Namespace != "" {
			key = p.Namespace + "/" + p.Name
		}
		if e.names[key] {
			e.t.Errorf("pod %s is created twice", key)
		}
		e.names[key] = true
	}
	return nil
}

// Create wants an object that says what it is.
func (e *Driven) Create(_ context.Context, gvr schema.GroupVersionResource, o *unstructured.Unstructured) error {
	if o.GetName() == "" || o.GetKind() == "" {
		e.t.Errorf("an object of %s without name or kind: %v", gvr.Resource, o.Object)
	}
	e.names[gvr.Resource+"/"+o.GetName()] = true
	return nil
}

// Await answers at once.
func (e *Driven) Await(_ context.Context, _ string, d time.Duration, _ func(*history.View) bool) bool {
	e.since = 0
	if !e.answers {
		e.Waited += d
	}
	return e.answers
}

// Hold counts the time.
func (e *Driven) Hold(_ context.Context, _ string, d time.Duration) {
	e.Held, e.Waited, e.since = e.Held+d, e.Waited+d, e.since+d
}

// Settle is that of kube-scheduler.
func (e *Driven) Settle(members int) time.Duration {
	return history.SchedulerProfile{SettleRoot: 10, SettleBase: 5}.Settle(members)
}

// Mark keeps it.
func (e *Driven) Mark(_ context.Context, name string) {
	e.Marks, e.Looked = append(e.Marks, name), e.since
}

// Try is answered with a success.
func (e *Driven) Try(context.Context, string, suites.Attempt) (history.Response, error) {
	return history.Response{Code: 201}, nil
}

// What follows succeeds and leaves nothing behind.

// CreateGang succeeds.
func (e *Driven) CreateGang(context.Context, build.Gang) error { return nil }

// DeleteGang succeeds.
func (e *Driven) DeleteGang(context.Context, string) error { return nil }

// SetQuorum succeeds.
func (e *Driven) SetQuorum(context.Context, string, int32) error { return nil }

// CreateComposite succeeds.
func (e *Driven) CreateComposite(context.Context, build.Composite) error { return nil }

// DeleteComposite succeeds.
func (e *Driven) DeleteComposite(context.Context, string) error { return nil }

// DeletePods succeeds.
func (e *Driven) DeletePods(context.Context, ...string) error { return nil }

// FinishPods succeeds.
func (e *Driven) FinishPods(context.Context, corev1.PodPhase, ...string) error { return nil }

// UngatePods succeeds.
func (e *Driven) UngatePods(context.Context, ...string) error { return nil }

// BindPod succeeds.
func (e *Driven) BindPod(context.Context, string, string) error { return nil }

// PatchNode succeeds.
func (e *Driven) PatchNode(context.Context, string, []byte, ...string) error { return nil }

// Delete succeeds.
func (e *Driven) Delete(context.Context, schema.GroupVersionResource, string) error { return nil }

// Patch succeeds.
func (e *Driven) Patch(context.Context, schema.GroupVersionResource, string, []byte, ...string) error {
	return nil
}

// StopScheduler succeeds.
func (e *Driven) StopScheduler(context.Context) error { return nil }

// StartScheduler succeeds.
func (e *Driven) StartScheduler(context.Context) error { return nil }

// RestartScheduler succeeds.
func (e *Driven) RestartScheduler(context.Context) error { return nil }

// pool is one of a Drive.
type pool struct{ spec nodes.Pool }

func (p pool) Name() string          { return "real-" + p.spec.Name }
func (p pool) Spec() nodes.Pool      { return p.spec }
func (p pool) Slots(build.Shape) int { return p.spec.Count * p.spec.GPUs }

func (p pool) Nodes() []string {
	out := make([]string, p.spec.Count)
	for i := range out {
		out[i] = fmt.Sprintf("%s-%d", p.Name(), i)
	}
	return out
}
