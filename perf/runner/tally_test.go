package runner

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"

	"muster/perf/scenario"
	"muster/suites/history"
	"muster/workloads/dialect"
)

func tallyOf(t *testing.T, groups ...scenario.Group) *tally {
	t.Helper()
	d, err := dialect.Load(dialect.Native)
	if err != nil {
		t.Fatal(err)
	}
	l := loadOf(&scenario.Phase{Groups: groups}, new(int32))
	out := newTally(d, 1, nil)
	out.expect(0, &l)
	return out
}

// tell the tally of a pod's form.
func (t *tally) tell(name string, change func(*corev1.Pod)) {
	p := &corev1.Pod{}
	if change != nil {
		change(p)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.see(&history.Folded{Event: history.Event{Origin: history.Watch, Verb: history.VerbModified, Namespace: namespace, Resource: "pods", Name: name}, Pod: p})
	close(t.wake)
	t.wake = make(chan struct{})
}

// tellGroup the tally what a group's condition says, as of a generation.
func (t *tally) tellGroup(name, status, reason string, generation int64) {
	gvr := t.dialect.GangResource()
	whole := map[string]any{
		"metadata": map[string]any{"name": name, "namespace": namespace},
		"status": map[string]any{"conditions": []any{map[string]any{
			"type": "PodGroupInitiallyScheduled", "status": status, "reason": reason, "observedGeneration": generation,
		}}},
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.see(&history.Folded{Event: history.Event{Origin: history.Watch, Verb: history.VerbModified, Namespace: namespace,
		Group: gvr.Group, Resource: gvr.Resource, Name: name}, Whole: whole})
}

func bind(p *corev1.Pod) { p.Spec.NodeName = "n" }

func unschedulable(p *corev1.Pod) {
	p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable}}
}

func TestTallyCountsEverythingOnce(t *testing.T) {
	ta := tallyOf(t, scenario.Group{Name: "a", Count: 2, Policy: scenario.Gang, Pods: []scenario.Pods{{Count: 2}}},
		scenario.Group{Name: "big", Count: 1, Policy: scenario.Gang, Quorum: 3, Unbound: true, Pods: []scenario.Pods{{Count: 3}}})
	for range 3 { // events come again and again
		ta.tell("a-0-0", bind)
		ta.tell("a-0-1", nil)
		ta.tell("a-1-0", func(p *corev1.Pod) { bind(p); p.Status.Phase = corev1.PodSucceeded })
		ta.tell("big-0-0", unschedulable)
		ta.tell("big-0-1", unschedulable) // before it is whole: no word of it
		ta.tell("a-1-1", unschedulable)   // it will be bound later: not refused
		ta.tell("somebody-else", bind)
	}
	want := counts{planned: 7, toBind: 4, unbound: 1, created: 6, bound: 2, over: 1}
	if got := ta.now(0); got != want {
		t.Errorf("%+v; want %+v", got, want)
	}
	if bound, waiting := ta.left(0); fmt.Sprint(bound) != "[a-0-0]" || fmt.Sprint(waiting) != "[a-0-1 a-1-1 big-0-0 big-0-1]" {
		t.Errorf("bound %v, waiting %v", bound, waiting)
	}
}

// What is said of a group that is not whole is not of it, and neither is what is only told again once it is.
func TestARefusalIsOfTheWholeGroup(t *testing.T) {
	big := scenario.Group{Name: "big", Count: 1, Policy: scenario.Gang, Quorum: 3, Unbound: true, Pods: []scenario.Pods{{Count: 3}}}
	ta := tallyOf(t, big)
	ta.tell("big-0-0", unschedulable)
	ta.tellGroup("big-0", "False", "Unschedulable", 1)
	ta.tell("big-0-1", nil)
	ta.tell("big-0-2", nil)
	ta.tell("big-0-0", unschedulable)
	ta.tellGroup("big-0", "False", "Unschedulable", 1)
	if c := ta.now(0); c.refused != 0 {
		t.Errorf("refused before it was whole: %+v", c)
	}
	ta.tellGroup("big-0", "Unknown", "Unschedulable", 2)
	ta.tellGroup("big-0", "False", "Waiting", 2)
	if c := ta.now(0); c.refused != 0 {
		t.Errorf("refused by a condition that says that it waits: %+v", c)
	}
	ta.tellGroup("big-0", "False", "Unschedulable", 2)
	if c := ta.now(0); c.refused != 1 {
		t.Errorf("refused by its condition: %+v", c)
	}
	other := tallyOf(t, big)
	for i := range 3 {
		other.tell(fmt.Sprintf("big-0-%d", i), nil)
	}
	other.tell("big-0-1", unschedulable)
	if c := other.now(0); c.refused != 1 {
		t.Errorf("refused by a pod's condition: %+v", c)
	}
}

func TestUntilWaitsAsLongAsSomethingComesOfIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ta := tallyOf(t, scenario.Group{Name: "a", Count: 4, Policy: scenario.Plain, Pods: []scenario.Pods{{Count: 1}}})
		ta.touch()
		go func() {
			for i := range 3 {
				time.Sleep(50 * time.Second)
				ta.tell(fmt.Sprintf("a-%d-0", i), bind)
			}
		}()
		began := time.Now()
		c, err := ta.until(t.Context(), 0, time.Minute, func(c counts) bool { return c.bound == c.toBind })
		if !errors.Is(err, errStalled) || c.bound != 3 || time.Since(began) != 210*time.Second {
			t.Errorf("%+v, %v after %s", c, err, time.Since(began))
		}
	})
}

func TestUntilEndsWithItsContext(t *testing.T) {
	ta := tallyOf(t, scenario.Group{Name: "a", Count: 1, Policy: scenario.Plain, Pods: []scenario.Pods{{Count: 1}}})
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if _, err := ta.until(ctx, 0, time.Minute, func(counts) bool { return false }); !errors.Is(err, why) {
		t.Error(err)
	}
}
