package run

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"

	"muster/fakes/cluster"
	"muster/fakes/faults"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/run/env"
	"muster/suites/run/fold"
)

// twinWorld can run two schedulers, or says that it cannot.
type twinWorld struct {
	faultyWorld
	pairs bool
	made  []*twin
}

// twin asks for its lease when it is started.
type twin struct {
	*fakeScheduler
	breaker *fakeBreaker
	closed  bool
}

func (i *twin) Kill(context.Context) error  { return nil }
func (i *twin) Close(context.Context) error { i.closed = true; return nil }
func (i *twin) Start(ctx context.Context) error {
	go func() {
		q := faults.Request{Verb: "get", Resource: "leases"}
		if page, k := i.breaker.Take(q); page != nil {
			i.breaker.tell(page.Rule.Name, k, q)
		}
	}()
	return i.fakeScheduler.Start(ctx)
}

func (w *twinWorld) Pairs() bool { return w.pairs }
func (w *twinWorld) Instance(context.Context, cluster.Cluster, int64) (Instance, env.Breaker, error) {
	i := &twin{fakeScheduler: &fakeScheduler{exited: make(chan history.Sample, 1)}, breaker: &fakeBreaker{}}
	w.made = append(w.made, i)
	return i, i.breaker, nil
}

func TestTwoSchedulers(t *testing.T) {
	scenario := breaks("twins", func(ctx context.Context, e suites.Env) error {
		pair, err := suites.PairOf(ctx, e)
		if err != nil {
			return err
		}
		return pair[0].StandBy(ctx)
	})
	scenario.Needs.Capabilities = append(scenario.Needs.Capabilities, suites.TwoSchedulers)
	for _, pairs := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			w := &twinWorld{faultyWorld: faultyWorld{newWorld(), &fakeBreaker{}}, pairs: pairs}
			o := run(t, t.Context(), w, nil, scenario)
			if o.err != nil {
				t.Fatal(o.err)
			}
			if !pairs {
				o.want(t, "twins", fold.Unsupported, suites.TwoSchedulers)
				return
			}
			o.want(t, "twins", fold.Executed, "")
			if len(w.made) != 2 || !w.made[0].closed || !w.made[1].closed {
				t.Errorf("%d were made, and not all have been closed", len(w.made))
			}
			if w.sched.starts != 2 { // of the session with faults, and after the two: the main one has nothing to do for it
				t.Errorf("the scheduler under test was started %d times", w.sched.starts)
			}
		})
	}
}

// A crash of one of two is the scheduler's, and nobody starts it again.
func TestCrashOfOneOfTwo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &twinWorld{faultyWorld: faultyWorld{newWorld(), &fakeBreaker{}}, pairs: true}
		scenario := breaks("twins", func(ctx context.Context, e suites.Env) error {
			if _, err := suites.PairOf(ctx, e); err != nil {
				return err
			}
			w.made[0].exited <- history.Sample{Exit: "exit status 2"}
			synctest.Wait()
			return nil
		})
		scenario.Needs.Capabilities = append(scenario.Needs.Capabilities, suites.TwoSchedulers)
		o := run(t, t.Context(), w, nil, scenario)
		if o.err != nil {
			t.Fatal(o.err)
		}
		if !slices.ContainsFunc(o.events, func(e history.Event) bool {
			return e.Verb == history.VerbCrash && e.Sample.Process == history.ProcessScheduler
		}) || w.made[0].starts != 0 {
			t.Error("the crash is not in the record, or it was started again")
		}
	})
}
