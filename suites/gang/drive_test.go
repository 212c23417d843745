package gang

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
	"muster/suites/kit/kittest"
	"muster/workloads/build"
)

// Every mark a good story has is one its scenario makes: a judge that waits for a mark nobody makes would be
// Inconclusive for ever.
func TestDrivesMakeTheMarksOfTheStories(t *testing.T) {
	for _, s := range stories() {
		if !(kittest.Story{Want: s.want}).Good() {
			continue
		}
		made := drive(t, s.scenario, true).marks
		last := -1
		for _, a := range s.tell.View().Actions {
			if a.Value.Verb != history.VerbMark || a.Value.Name == "later" {
				continue
			}
			at := slices.Index(made, a.Value.Name)
			if at < 0 {
				t.Errorf("%s/%s: no drive makes the mark %q (made: %q)", s.scenario, s.name, a.Value.Name, made)
			} else if at < last {
				t.Errorf("%s/%s: the drive makes %q in another order: %q", s.scenario, s.name, a.Value.Name, made)
			}
			last = at
		}
	}
}

// Waiting in vain is the scheduler's affair, no error of the harness; and no scenario waits for ever.
func TestDrivesGoOnWhenWaitingInVain(t *testing.T) {
	for _, s := range kittest.Of("gang") {
		e := drive(t, s.Name, false)
		// Whoever does nothing at all may cost a few settle bounds a scenario, not more.
		if limit := 5 * time.Minute; e.waited > limit {
			t.Errorf("%s waits %s for a scheduler that does nothing, more than %s", s.Name, e.waited, limit)
		}
	}
}

// On a scheduler that does what it should, holds alone decide how long a scenario takes: the weight says it.
func TestWeights(t *testing.T) {
	for _, s := range kittest.Of("gang") {
		if e := drive(t, s.Name, true); int(e.held.Seconds()) > s.Weight {
			t.Errorf("%s holds for %s and weighs %d", s.Name, e.held, s.Weight)
		}
	}
}

// Who says that a member placed by somebody else is left alone looks on when the last member is bound.
func TestDrivesLookForLateVictims(t *testing.T) {
	late := kittest.LateVictims(t, inFull())
	for name, what := range late {
		if e := drive(t, name, true); e.looked < kit.Look {
			t.Errorf("%s looks on for %s, want %s: of an eviction just before its end its judge says %s", name, e.looked, kit.Look, what)
		}
	}
	if late["gang-scheduler-restart-half-bound"] == "" {
		t.Errorf("nobody is found who says that a bound member is left alone: %v", late)
	}
}

// A place without room is refused before anything is created, in words that say what is missing.
func TestSlotsRefuseTooLittleRoom(t *testing.T) {
	e := &stubEnv{t: t, pools: map[string]nodes.Pool{mainPool: single(mainPool, 2)}}
	if n, err := slots(e, mainPool, 2); n != 2 || err != nil {
		t.Errorf("two slots: %d, %v", n, err)
	}
	if _, err := slots(e, mainPool, 3); err == nil {
		t.Error("three of two slots are taken for granted")
	}
}

func drive(t *testing.T, name string, held bool) *stubEnv {
	t.Helper()
	s, _ := suites.ScenarioByName(name)
	e := &stubEnv{t: t, held: 0, answers: held, pools: map[string]nodes.Pool{}, classes: s.Needs.PriorityClasses, names: map[string]bool{}}
	for _, p := range s.Needs.Pools {
		e.pools[p.Name] = p
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
	pools      map[string]nodes.Pool
	classes    map[string]int32
	names      map[string]bool
	marks      []string
	// held and waited are how long it held, and held or waited, in all; since how long it has held since the last wait,
	// looked how long it had at the last mark.
	held, waited, since, looked time.Duration
}

func (e *stubEnv) Namespace() string     { return "ns" }
func (e *stubEnv) SchedulerName() string { return "default-scheduler" }

func (e *stubEnv) Pool(name string) suites.Pool {
	p, ok := e.pools[name]
	if !ok {
		e.t.Fatalf("pool %q is not declared", name)
	}
	return stubPool{p}
}

func (e *stubEnv) PriorityClass(short string) string {
	if _, ok := e.classes[short]; !ok {
		e.t.Fatalf("priority class %q is not declared", short)
	}
	return "real-" + short
}

func (e *stubEnv) CreatePods(_ context.Context, pods ...build.Pod) error {
	for _, p := range pods {
		e.Pool(p.Pool)
		if key := p.Namespace + "/" + p.Name; e.names[key] {
			e.t.Errorf("pod %s is created twice", key)
		} else {
			e.names[key] = true
		}
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

func (e *stubEnv) Mark(_ context.Context, name string) {
	e.marks, e.looked = append(e.marks, name), e.since
}

func (e *stubEnv) Try(context.Context, string, suites.Attempt) (history.Response, error) {
	return history.Response{Code: 200}, nil
}

func (e *stubEnv) CreateGang(context.Context, build.Gang) error   { return nil }
func (e *stubEnv) SetQuorum(context.Context, string, int32) error { return nil }
func (e *stubEnv) DeleteGang(context.Context, string) error       { return nil }
func (e *stubEnv) FinishPods(context.Context, corev1.PodPhase, ...string) error {
	return nil
}
func (e *stubEnv) DeletePods(context.Context, ...string) error   { return nil }
func (e *stubEnv) UngatePods(context.Context, ...string) error   { return nil }
func (e *stubEnv) BindPod(context.Context, string, string) error { return nil }
func (e *stubEnv) StopScheduler(context.Context) error           { return nil }
func (e *stubEnv) StartScheduler(context.Context) error          { return nil }
func (e *stubEnv) Patch(context.Context, schema.GroupVersionResource, string, []byte, ...string) error {
	return nil
}

func (e *stubEnv) Create(_ context.Context, _ schema.GroupVersionResource, obj *unstructured.Unstructured) error {
	if obj.GetName() == "" || obj.GetKind() == "" {
		return fmt.Errorf("an object without name or kind: %v", obj.Object)
	}
	return nil
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
