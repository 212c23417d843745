package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"

	"muster/suites/history"
	"muster/suites/history/record"
	"muster/workloads/dialect"
)

// tally counts what has become of the pods of a run, from the events that are being recorded anyway: it waits without
// asking.
type tally struct {
	dialect *dialect.Dialect
	// bound is told of every pod that has been bound, with its phase; it must not block.
	bound func(pod string, phase int)

	mu     sync.Mutex
	pods   map[string]*podState
	groups map[string]*groupState
	phases []counts
	wake   chan struct{}
	moved  time.Time // when something last came of it
	err    error
}

type podState struct {
	phase                 int
	group                 *groupState
	created, bound, ended bool
}

type groupState struct {
	phase int
	// unbound groups must not fit; refused ones have been told.
	unbound, refused bool
}

// counts of one phase.
type counts struct {
	// planned pods, of which toBind can be bound; unbound groups.
	planned, toBind, unbound int
	created, bound, over     int // over: finished or gone
	refused                  int
}

func newTally(d *dialect.Dialect, phases int, bound func(string, int)) *tally {
	return &tally{
		dialect: d, bound: bound, pods: map[string]*podState{}, groups: map[string]*groupState{},
		phases: make([]counts, phases), wake: make(chan struct{}), moved: time.Now(),
	}
}

// expect a phase's load.
func (t *tally) expect(phase int, l *load) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := &t.phases[phase]
	for _, g := range l.gangs {
		state := &groupState{phase: phase, unbound: g.group.Unbound}
		t.groups[g.name] = state
		size := g.group.Size()
		c.planned += size
		if g.group.Unbound {
			c.unbound++
		} else {
			c.toBind += size
		}
		for i := range size {
			t.pods[fmt.Sprintf("%s-%d", g.name, i)] = &podState{phase: phase, group: state}
		}
	}
}

// follow reads events until the subscription ends.
func (t *tally) follow(ctx context.Context, sub *record.Subscription) {
	for {
		events, err := sub.Next(ctx)
		t.mu.Lock()
		for _, e := range events {
			t.see(e)
		}
		if err != nil && t.err == nil {
			t.err = err
		}
		close(t.wake)
		t.wake = make(chan struct{})
		t.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (t *tally) see(e *history.Folded) {
	if e.Namespace != namespace || e.Origin != history.Watch && e.Origin != history.Relist && e.Origin != history.List {
		return
	}
	if e.Resource != "pods" {
		t.seeGroup(e)
		return
	}
	p := t.pods[e.Name]
	if p == nil || e.Pod == nil {
		return
	}
	c := &t.phases[p.phase]
	once := func(flag *bool, n *int) bool {
		if *flag {
			return false
		}
		*flag, t.moved = true, time.Now()
		*n++
		return true
	}
	once(&p.created, &c.created)
	if e.Pod.Spec.NodeName != "" && once(&p.bound, &c.bound) && t.bound != nil {
		t.bound(e.Name, p.phase)
	}
	if phase := e.Pod.Status.Phase; e.Verb == history.VerbDeleted || phase == corev1.PodSucceeded || phase == corev1.PodFailed {
		once(&p.ended, &c.over)
	}
	if p.group.unbound && slices.ContainsFunc(e.Pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse && c.Reason == corev1.PodReasonUnschedulable
	}) {
		once(&p.group.refused, &c.refused)
	}
}

// seeGroup looks for a refusal in the group's own condition.
func (t *tally) seeGroup(e *history.Folded) {
	state := t.groups[e.Name]
	gvr := t.dialect.GangResource()
	if state == nil || !state.unbound || state.refused || e.Whole == nil || e.Resource != gvr.Resource || e.Group != gvr.Group {
		return
	}
	if g, ok := t.dialect.Read(e.Whole, gvr); ok && g.Satisfied.Status == "False" {
		state.refused, t.moved = true, time.Now()
		t.phases[state.phase].refused++
	}
}

// errStalled ends a wait in which nothing came of anything any more.
var errStalled = errors.New("nothing more was bound")

// until waits until a phase's counts are as wanted. It gives up with errStalled after patience without any news.
func (t *tally) until(ctx context.Context, phase int, patience time.Duration, done func(counts) bool) (counts, error) {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		t.mu.Lock()
		c, wake, err, still := t.phases[phase], t.wake, t.err, patience-time.Since(t.moved)
		t.mu.Unlock()
		switch {
		case done(c):
			return c, nil
		case ctx.Err() != nil:
			return c, context.Cause(ctx)
		case err != nil:
			return c, fmt.Errorf("following the record: %w", err)
		case still <= 0:
			return c, fmt.Errorf("%w within %s", errStalled, patience)
		}
		timer.Reset(still)
		select {
		case <-wake:
		case <-timer.C:
		case <-ctx.Done():
		}
	}
}

// now are a phase's counts.
func (t *tally) now(phase int) counts {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.phases[phase]
}

// touch starts the patience anew.
func (t *tally) touch() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.moved = time.Now()
}

// alive are the names of a phase's pods that are bound and have not ended.
func (t *tally) alive(phase int) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []string
	for name, p := range t.pods {
		if p.phase == phase && p.bound && !p.ended {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}
