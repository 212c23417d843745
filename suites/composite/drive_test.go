package composite

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/suites/kit/kittest"
	"muster/workloads/build"
)

// Every mark a good story has is one its scenario makes, in that order: a judge that waits for a mark nobody makes would
// be Inconclusive for ever.
func TestDrivesMakeTheMarksOfTheStories(t *testing.T) {
	for _, s := range stories() {
		if !(kittest.Story{Want: s.want}).Good() {
			continue
		}
		made, last := drive(t, s.scenario, true).marks, -1
		for _, a := range s.tell.View().Actions {
			if a.Value.Verb != history.VerbMark {
				continue
			}
			at := slices.Index(made, a.Value.Name)
			if at <= last {
				t.Errorf("%s/%s: no drive makes the mark %q there (made: %q)", s.scenario, s.name, a.Value.Name, made)
			}
			last = at
		}
	}
}

// Waiting in vain is the scheduler's affair, no error of the harness, and no scenario waits for ever; on a scheduler that
// does what it should, holds alone decide how long a scenario takes, and its weight says it.
func TestDrivesWait(t *testing.T) {
	for _, s := range kittest.Of("composite") {
		if e := drive(t, s.Name, false); e.waited > 5*time.Minute {
			t.Errorf("%s waits %s for a scheduler that does nothing", s.Name, e.waited)
		}
		if e := drive(t, s.Name, true); int(e.held.Seconds()) > s.Weight {
			t.Errorf("%s holds for %s and weighs %d", s.Name, e.held, s.Weight)
		}
	}
}

// Who says how few may be evicted looks on when the preemptor is bound.
func TestDrivesLookForLateVictims(t *testing.T) {
	late := kittest.LateVictims(t, inFull())
	for name, what := range late {
		if e := drive(t, name, true); e.looked < kit.Look {
			t.Errorf("%s looks on for %s, want %s: of an eviction just before its end its judge says %s", name, e.looked, kit.Look, what)
		}
	}
	if late["composite-budgets"] == "" {
		t.Errorf("nobody minds an eviction that was not needed; found: %v", late)
	}
}

func drive(t *testing.T, name string, answers bool) *stubEnv {
	t.Helper()
	s, _ := suites.ScenarioByName(name)
	e := &stubEnv{t: t, answers: answers, needs: s.Needs, sizes: map[string]int{}, names: map[string]bool{}}
	for _, p := range s.Needs.Pools {
		e.sizes[p.Name] = p.Count
	}
	if err := s.Drive(t.Context(), e); err != nil {
		t.Errorf("driving %s: %v", name, err)
	}
	return e
}

// stubEnv lets a drive run without a cluster: every deed succeeds, every wait answers at once.
type stubEnv struct {
	suites.Env // what no drive of this package uses panics
	t          *testing.T
	answers    bool
	needs      suites.Needs
	sizes      map[string]int
	names      map[string]bool
	marks      []string
	// held and waited are how long it held, and held or waited, in all; since how long it has held since the last wait,
	// looked how long it had at the last mark.
	held, waited, since, looked time.Duration
}

func (e *stubEnv) Pool(name string) suites.Pool {
	for _, p := range e.needs.Pools {
		if p.Name == name {
			p.RackKey, p.ZoneKey = "muster.dev/rack", "muster.dev/zone"
			p.Count = e.sizes[name]
			return stubPool{p}
		}
	}
	e.t.Fatalf("pool %q is not declared", name)
	return nil
}

func (e *stubEnv) CreatePods(_ context.Context, pods ...build.Pod) error {
	for _, p := range pods {
		e.Pool(p.Pool)
		_, ok := e.needs.PriorityClasses[p.PriorityClass]
		if p.PriorityClass != "" && !ok && !e.names["priorityclasses/"+p.PriorityClass] {
			e.t.Errorf("priority class %q is not declared", p.PriorityClass)
		}
		if e.names[p.Name] {
			e.t.Errorf("pod %s is created twice", p.Name)
		}
		e.names[p.Name] = true
	}
	return nil
}

func (e *stubEnv) Await(_ context.Context, _ string, d time.Duration, _ func(*history.View) bool) bool {
	e.since = 0
	if !e.answers {
		e.waited += d
	}
	return e.answers
}

func (e *stubEnv) Hold(_ context.Context, _ string, d time.Duration) {
	e.held, e.waited, e.since = e.held+d, e.waited+d, e.since+d
}

func (e *stubEnv) Settle(members int) time.Duration {
	return history.SchedulerProfile{SettleRoot: 10, SettleBase: 5}.Settle(members)
}

func (e *stubEnv) AddNodes(_ context.Context, pool string, n int) error {
	e.sizes[pool] += n
	return nil
}

func (e *stubEnv) Mark(_ context.Context, name string) {
	e.marks, e.looked = append(e.marks, name), e.since
}

func (e *stubEnv) CreateGang(context.Context, build.Gang) error               { return nil }
func (e *stubEnv) SetQuorum(context.Context, string, int32) error             { return nil }
func (e *stubEnv) PatchNode(context.Context, string, []byte, ...string) error { return nil }
func (e *stubEnv) DeletePods(context.Context, ...string) error                { return nil }
func (e *stubEnv) CreateComposite(_ context.Context, _ build.Composite) error { return nil }
func (e *stubEnv) DeleteComposite(context.Context, string) error              { return nil }

func (e *stubEnv) Namespace() string                 { return "ns" }
func (e *stubEnv) PriorityClass(short string) string { return "real-" + short }

func (e *stubEnv) Create(_ context.Context, gvr schema.GroupVersionResource, o *unstructured.Unstructured) error {
	e.names[gvr.Resource+"/"+o.GetName()] = true
	return nil
}

func (e *stubEnv) Delete(context.Context, schema.GroupVersionResource, string) error { return nil }

func (e *stubEnv) Try(context.Context, string, suites.Attempt) (history.Response, error) {
	return history.Response{Code: 201}, nil
}

type stubPool struct{ spec nodes.Pool }

func (p stubPool) Name() string          { return "real-" + p.spec.Name }
func (p stubPool) Spec() nodes.Pool      { return p.spec }
func (p stubPool) Slots(build.Shape) int { return p.spec.Count * p.spec.GPUs }

func (p stubPool) Nodes() []string {
	out := make([]string, p.spec.Count)
	for i := range out {
		out[i] = fmt.Sprintf("%s-%d", p.Name(), i)
	}
	return out
}
