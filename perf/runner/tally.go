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
	// said is the last refusal seen of it, in groups that must not fit.
	said corev1.PodCondition
}

type groupState struct {
	phase int
	// unbound groups must not fit; refused ones have been told.
	unbound, refused bool
	// made of its pods have been created; quorum of them make it whole, and what is said before that is not of it.
	made, quorum int
	// said is the last word of its condition.
	said dialect.Condition
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
		state := &groupState{phase: phase, unbound: g.group.Unbound, quorum: max(g.group.Quorum, 1)}
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
	if t.once(&p.created, &c.created) {
		p.group.made++
	}
	if e.Pod.Spec.NodeName != "" && t.once(&p.bound, &c.bound) && t.bound != nil {
		t.bound(e.Name, p.phase)
	}
	if phase := e.Pod.Status.Phase; e.Verb == history.VerbDeleted || phase == corev1.PodSucceeded || phase == corev1.PodFailed {
		t.once(&p.ended, &c.over)
	}
	if !p.group.unbound {
		return
	}
	for _, now := range e.Pod.Status.Conditions {
		if now.Type == corev1.PodScheduled && now.Status == corev1.ConditionFalse && now.Reason == corev1.PodReasonUnschedulable && now != p.said {
			p.said = now
			t.refuse(p.group)
		}
	}
}

// once counts what happens to something once, however often it is told.
func (t *tally) once(flag *bool, n *int) bool {
	if *flag {
		return false
	}
	*flag, t.moved = true, time.Now()
	*n++
	return true
}

// refuse notes a word that a group cannot be placed. One that came before the group was whole is not of it.
func (t *tally) refuse(g *groupState) {
	if g.made >= g.quorum {
		t.once(&g.refused, &t.phases[g.phase].refused)
	}
}

// seeGroup looks for a refusal in the group's own condition, in upstream's word: that a group waits may still be said of it
// when its last pod has come. What is only told again, because something else of the group has changed, is no news.
func (t *tally) seeGroup(e *history.Folded) {
	state := t.groups[e.Name]
	gvr := t.dialect.GangResource()
	if state == nil || !state.unbound || state.refused || e.Whole == nil || e.Resource != gvr.Resource || e.Group != gvr.Group {
		return
	}
	g, ok := t.dialect.Read(e.Whole, gvr)
	if !ok {
		return
	}
	now := g.Satisfied
	now.LastTransition = now.LastTransition.UTC()
	if news := now != state.said; news && now.Status == "False" && now.Reason == corev1.PodReasonUnschedulable {
		t.refuse(state)
	}
	state.said = now
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

// left are the names of a phase's pods that have not ended, at one and the same time: those that are bound, and those that
// wait.
func (t *tally) left(phase int) (bound, waiting []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for name, p := range t.pods {
		switch {
		case p.phase != phase || !p.created || p.ended:
		case p.bound:
			bound = append(bound, name)
		default:
			waiting = append(waiting, name)
		}
	}
	slices.Sort(bound)
	slices.Sort(waiting)
	return bound, waiting
}
