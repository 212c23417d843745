package run

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"muster/fakes/cluster"
	"muster/fakes/faults"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/run/env"
	"muster/suites/run/fold"
)

// faultyWorld has a breaker that no proxy stands behind.
type faultyWorld struct {
	*world
	breaker *fakeBreaker
}

type fakeBreaker struct {
	faults.Book
	tell func(string, int, faults.Request)
	away bool
}

func (b *fakeBreaker) Cut(string) int                           { return 2 }
func (b *fakeBreaker) Away() error                              { b.away = true; return nil }
func (b *fakeBreaker) Back() error                              { b.away = false; return nil }
func (b *fakeBreaker) Tell(f func(string, int, faults.Request)) { b.tell = f }
func (w faultyWorld) Breakable(c cluster.Cluster, _ int64) (cluster.Cluster, env.Breaker, error) {
	return c, w.breaker, nil
}

func breaks(name string, drive func(context.Context, suites.Env) error) suites.Scenario {
	s := one(name, suites.Exclusive, drive)
	s.Needs.Capabilities = []string{suites.BreakAPI}
	return s
}

func TestScenariosThatBreakTheAPIHaveAClusterOfTheirOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := faultyWorld{newWorld(), &fakeBreaker{}}
		o := run(t, t.Context(), w, nil, one("calm", suites.Shared, nil), breaks("storm", func(ctx context.Context, e suites.Env) error {
			f, err := suites.FaultsOf(e)
			if err != nil {
				return err
			}
			if err := f.Break(ctx, faults.Rule{Name: "left", Verb: "create", Fault: faults.Fault{Status: 409}}); err != nil {
				return err
			}
			w.breaker.tell("left", 1, faults.Request{Verb: "create", Resource: "pods/binding", Namespace: "a", Name: "p"})
			w.breaker.Take(faults.Request{Verb: "list", Resource: "pods"})
			if err := f.Cut(ctx, "pods"); err != nil {
				return err
			}
			if err := f.Count(ctx, "now"); err != nil {
				return err
			}
			return f.Away(ctx)
		}))
		if o.err != nil || o.by["storm"].Status != fold.Executed || o.by["calm"].Status != fold.Executed {
			t.Fatalf("%v: %+v", o.err, o.by)
		}
		if o.by["storm"].Shard != FaultsShard+".jsonl" || o.by["calm"].Shard != MainShard+".jsonl" {
			t.Errorf("storm in %s, calm in %s", o.by["storm"].Shard, o.by["calm"].Shard)
		}
		if w.breaker.away || w.breaker.tell != nil || w.breaker.Held(faults.Request{}) != nil || w.breaker.Mend("left") == nil {
			t.Error("faults are left in force after their scenario")
		}
		var verbs []string
		for _, e := range o.events {
			if e.Action != nil && e.Action.Scenario == "storm" {
				verbs = append(verbs, e.Verb+" "+e.Name)
			}
		}
		want := "break left, strike left, break cut pods, calls now, break away"
		if got := strings.Join(verbs, ", "); !strings.Contains(got, want) {
			t.Errorf("recorded: %s", got)
		}
		h := &history.History{Header: o.header, Events: o.events}
		v := history.NewView(h, nil, history.Scope{Scenario: "storm"})
		if calls, _, ok := v.Calls("now"); !ok || calls["list pods"] != 1 {
			t.Errorf("calls: %v", calls)
		}
		if _, _, ok := v.Broken("left"); !ok || len(v.Strikes("left")) != 1 {
			t.Error("the view does not know the fault")
		}
	})
}

func TestWhereNothingCanBeBroken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		o := run(t, t.Context(), w, nil, breaks("storm", nil))
		if o.err != nil || o.by["storm"].Status != fold.Unsupported || len(w.clusters) != 1 {
			t.Errorf("%v: %+v in %d clusters", o.err, o.by, len(w.clusters))
		}
		var asked error
		o = run(t, t.Context(), newWorld(), nil, one("calm", suites.Shared, func(_ context.Context, e suites.Env) error {
			_, asked = suites.FaultsOf(e)
			return nil
		}))
		if o.err != nil || asked == nil || !strings.Contains(asked.Error(), suites.BreakAPI) {
			t.Errorf("%v, %v", o.err, asked)
		}
	})
}
