package kittest

import (
	"context"
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/workloads/build"
)

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

// Metrics are read, and not told.
func (e *Driven) Metrics() (suites.Metrics, error) { return unread{e}, nil }

type unread struct{ of *Driven }

// Read wants a label that is used once, and names.
func (u unread) Read(_ context.Context, label, process string, names ...string) error {
	if key := "metrics/" + label; label == "" || process == "" || len(names) == 0 || u.of.names[key] {
		u.of.t.Errorf("metrics of %q are read for %q, for the second time or for nothing: %q", process, label, names)
	} else {
		u.of.names[key] = true
	}
	return nil
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

// RemoveNode succeeds.
func (e *Driven) RemoveNode(context.Context, string) error { return nil }

// ReturnNode succeeds.
func (e *Driven) ReturnNode(context.Context, string) error { return nil }

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
