package env

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"muster/fakes/faults"
	"muster/suites"
)

// tame is a breaker behind which nobody stands; requests are what the test says.
type tame struct {
	faults.Book
	tell func(string, int, faults.Request)
}

func (b *tame) Cut(string) int                           { return 0 }
func (b *tame) Away() error                              { return nil }
func (b *tame) Back() error                              { return errors.New("it was not away") }
func (b *tame) Tell(f func(string, int, faults.Request)) { b.tell = f }

// ask has the scheduler make a request.
func (b *tame) ask(verb string) {
	q := faults.Request{Verb: verb, Resource: "leases"}
	if page, k := b.Take(q); page != nil && b.tell != nil {
		b.tell(page.Rule.Name, k, q)
	}
}

// lessee is an instance that asks for its lease when it is started, and does what the test makes of it.
type lessee struct {
	b    *tame
	name string
	did  *[]string
	mute bool
}

func (l *lessee) say(what string) error { *l.did = append(*l.did, what+" "+l.name); return nil }
func (l *lessee) Start(context.Context) error {
	if !l.mute {
		go l.b.ask("get")
	}
	return l.say("start")
}
func (l *lessee) Stop(context.Context) error  { return l.say("stop") }
func (l *lessee) Kill(context.Context) error  { return l.say("kill") }
func (l *lessee) Close(context.Context) error { return l.say("close") }

func TestTwoSchedulersTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, did := newJournal(), []string{}
		var all []*lessee
		e := New(Options{
			Scenario: suites.Scenario{Name: "s"}, Journal: j, Scheduler: &lessee{b: &tame{}, name: "own", did: &did, mute: true},
			Instance: func(context.Context) (Instance, Breaker, error) {
				l := &lessee{b: &tame{}, name: string(rune('a' + len(all))), did: &did}
				all = append(all, l)
				return l, l.b, nil
			},
		})
		defer e.Close()
		ctx := t.Context()
		pair, err := suites.PairOf(ctx, e)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := suites.PairOf(ctx, e); err == nil {
			t.Error("there are two pairs")
		}
		for _, in := range pair {
			if err := in.StandBy(ctx); err != nil {
				t.Fatal(err)
			}
		}
		all[0].b.ask("update")
		if !pair[0].Leads(ctx, time.Second) || pair[1].Leads(ctx, time.Second) {
			t.Error("the one that wrote the lease does not lead, or the other one does")
		}
		if err := pair[0].KillScheduler(ctx); err != nil {
			t.Fatal(err)
		}
		all[1].b.ask("create")
		if !pair[1].Leads(ctx, time.Second) {
			t.Error("the other one does not lead")
		}
		if err := pair[0].StandBy(ctx); err != nil { // a second life
			t.Fatal(err)
		}
		if pair[0].Leads(ctx, time.Second) {
			t.Error("a lease of a former life counts")
		}
		if err := pair[0].Retire(ctx); err != nil {
			t.Fatal(err)
		}
		if err := e.unpair(ctx); err != nil {
			t.Fatal(err)
		}
		if got, want := strings.Join(did, ", "), "stop own, start a, start b, kill a, start a, stop a, close a, close b, start own"; got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
		var verbs []string
		for _, e := range j.events {
			if strings.HasSuffix(e.Verb, "-scheduler") {
				verbs = append(verbs, e.Verb)
			}
		}
		// The end of one that only stood by is nobody's absence.
		want := []string{"stop-scheduler", "start-scheduler", "stop-scheduler", "start-scheduler", "start-scheduler"}
		if !slices.Equal(verbs, want) {
			t.Errorf("recorded %q, want %q", verbs, want)
		}
	})
}

func TestSchedulerThatKnowsNoLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var did []string
		e := New(Options{
			Scenario: suites.Scenario{Name: "s"}, Journal: newJournal(), Scheduler: &lessee{b: &tame{}, did: &did, mute: true},
			Instance: func(context.Context) (Instance, Breaker, error) {
				b := &tame{}
				return &lessee{b: b, did: &did, mute: true}, b, nil
			},
		})
		defer e.Close()
		pair, err := suites.PairOf(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		if err := pair[0].StandBy(t.Context()); err == nil || !strings.Contains(err.Error(), "did not ask for a lease") {
			t.Errorf("%v", err)
		}
	})
	e := New(Options{Scenario: suites.Scenario{Name: "s"}, Journal: newJournal()})
	defer e.Close()
	if _, err := suites.PairOf(t.Context(), e); err == nil || !strings.Contains(err.Error(), suites.TwoSchedulers) {
		t.Errorf("%v", err)
	}
}
