package devices

import (
	"context"
	"fmt"
	stdslices "slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/history/historytest"
	"muster/suites/kit"
	"muster/suites/kit/kittest"
	"muster/workloads/build"
)

// Every mark a good story has is one its scenario makes, in that order: a judge that waits for a mark nobody makes would
// be Inconclusive for ever.
func TestDrivesMakeTheMarksOfTheStories(t *testing.T) {
	driven := map[string]bool{}
	for _, s := range stories() {
		scenario, _ := suites.ScenarioByName(s.scenario)
		if !(kittest.Story{Want: s.want}).Good() || len(s.want) < len(scenario.Requirements) {
			continue
		}
		driven[s.scenario] = true
		view := s.tell.View()
		made, last := drive(t, s.scenario, view).marks, -1
		for _, a := range view.Actions {
			if a.Value.Verb != history.VerbMark {
				continue
			}
			at := stdslices.Index(made, a.Value.Name)
			if at <= last {
				t.Errorf("%s/%s: no drive makes the mark %q there (made: %q)", s.scenario, s.name, a.Value.Name, made)
			}
			last = at
		}
	}
	for _, s := range kittest.Of("devices") {
		if !driven[s.Name] {
			t.Errorf("no story tells of %s as it should be", s.Name)
		}
	}
}

// Waiting in vain is no error of the harness, and no scenario waits for ever; on a scheduler that does what it should, holds
// alone decide how long a scenario takes, and its weight says it.
func TestDrivesWait(t *testing.T) {
	for _, s := range kittest.Of("devices") {
		if e := drive(t, s.Name, nil); e.waited > 6*time.Minute {
			t.Errorf("%s waits %s for a scheduler that does nothing", s.Name, e.waited)
		}
		if e := drive(t, s.Name, historytest.New().View()); int(e.held.Seconds()) > s.Weight {
			t.Errorf("%s holds for %s and weighs %d", s.Name, e.held, s.Weight)
		}
	}
}

// Who says how few may be evicted looks on when the preemptor is bound.
func TestDrivesLookForLateVictims(t *testing.T) {
	late := kittest.LateVictims(t, inFull())
	for name, what := range late {
		if e := drive(t, name, historytest.New().View()); e.looked < kit.Look {
			t.Errorf("%s looks on for %s, want %s: of an eviction just before its end its judge says %s", name, e.looked, kit.Look, what)
		}
	}
	if late["devices-preemption"] == "" {
		t.Errorf("nobody minds an eviction that was not needed; found: %v", late)
	}
}

// drive runs a scenario against a record that is told already; nil: one in which nothing that is waited for comes.
func drive(t *testing.T, name string, told *history.View) *stubEnv {
	t.Helper()
	s, _ := suites.ScenarioByName(name)
	e := &stubEnv{t: t, told: told, needs: s.Needs, names: map[string]bool{}}
	if err := s.Drive(t.Context(), e); err != nil {
		t.Errorf("driving %s: %v", name, err)
	}
	return e
}

// stubEnv lets a drive run without a cluster: every deed succeeds, every wait answers at once.
type stubEnv struct {
	suites.Env // what no drive of this package uses panics
	t          *testing.T
	told       *history.View
	needs      suites.Needs
	names      map[string]bool
	marks      []string
	// held and waited are how long it held, and held or waited, in all; since how long it has held since the last wait,
	// looked how long it had at the last mark.
	held, waited, since, looked time.Duration
}

func (e *stubEnv) Namespace() string { return historytest.Namespace }
func (e *stubEnv) Seed() int64       { return 1 }

func (e *stubEnv) Pool(name string) suites.Pool {
	for _, p := range e.needs.Pools {
		if p.Name == name {
			return stubPool{p}
		}
	}
	e.t.Fatalf("pool %q is not declared", name)
	return nil
}

func (e *stubEnv) PriorityClass(short string) string {
	if _, ok := e.needs.PriorityClasses[short]; !ok {
		e.t.Errorf("priority class %q is not declared", short)
	}
	return short
}

func (e *stubEnv) CreatePods(_ context.Context, pods ...build.Pod) error {
	for _, p := range pods {
		e.Pool(p.Pool)
		if e.names[p.Name] {
			e.t.Errorf("pod %s is created twice", p.Name)
		}
		e.names[p.Name] = true
	}
	return nil
}

// Await asks the condition, so that what it learns from the record is learned, and says that it held.
func (e *stubEnv) Await(_ context.Context, _ string, d time.Duration, cond func(*history.View) bool) bool {
	e.since = 0
	if e.told == nil {
		e.waited += d
		return false
	}
	cond(e.told)
	return true
}

func (e *stubEnv) Hold(_ context.Context, _ string, d time.Duration) {
	e.held, e.waited, e.since = e.held+d, e.waited+d, e.since+d
}

func (e *stubEnv) Settle(members int) time.Duration {
	return history.SchedulerProfile{SettleRoot: 10, SettleBase: 5}.Settle(members)
}

func (e *stubEnv) Mark(_ context.Context, name string) {
	e.marks, e.looked = append(e.marks, name), e.since
}

func (e *stubEnv) Try(_ context.Context, _ string, a suites.Attempt) (history.Response, error) {
	if a.GVR == slices && !a.ClusterScoped {
		e.t.Error("a slice is created in a namespace")
	}
	return history.Response{Code: 201}, nil
}

func (e *stubEnv) CreateGang(context.Context, build.Gang) error                      { return nil }
func (e *stubEnv) DeleteGang(context.Context, string) error                          { return nil }
func (e *stubEnv) DeletePods(context.Context, ...string) error                       { return nil }
func (e *stubEnv) BindPod(context.Context, string, string) error                     { return nil }
func (e *stubEnv) FinishPods(context.Context, corev1.PodPhase, ...string) error      { return nil }
func (e *stubEnv) Delete(context.Context, schema.GroupVersionResource, string) error { return nil }

func (e *stubEnv) Create(context.Context, schema.GroupVersionResource, *unstructured.Unstructured) error {
	return nil
}

func (e *stubEnv) Patch(context.Context, schema.GroupVersionResource, string, []byte, ...string) error {
	return nil
}

type stubPool struct{ spec nodes.Pool }

func (p stubPool) Name() string          { return "real-" + p.spec.Name }
func (p stubPool) Spec() nodes.Pool      { return p.spec }
func (p stubPool) Slots(build.Shape) int { return 0 }

func (p stubPool) Nodes() []string {
	out := make([]string, p.spec.Count)
	for i := range out {
		out[i] = fmt.Sprintf("node-%d", i)
	}
	return out
}
