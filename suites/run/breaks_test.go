package run

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/run/fold"
)

func TestInterruptLetsEveryScenarioWriteItsEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	started := make(chan struct{})
	o := run(t, ctx, newWorld(), func(o *Options) { o.Parallel = 1 },
		one("a-runs", suites.Shared, func(ctx context.Context, e suites.Env) error {
			close(started)
			go func() { <-started; cancel() }()
			e.Await(ctx, "never", time.Hour, func(*history.View) bool { return false })
			return nil
		}),
		one("b-waits", suites.Shared, nil),
		one("c-alone", suites.Exclusive, nil),
		one("d-apart", suites.OwnCluster, nil),
	)
	if o.err != nil || !o.result.Interrupted {
		t.Fatalf("%v, %+v", o.err, o.result)
	}
	o.want(t, "a-runs", fold.Interrupted, "interrupted")
	for _, name := range []string{"b-waits", "c-alone", "d-apart"} {
		o.want(t, name, fold.NotRun, "interrupted before its turn")
	}
}

func TestDeathOfAComponentIsNotTheSchedulersFault(t *testing.T) {
	w := newWorld()
	o := run(t, t.Context(), w, func(o *Options) { o.Parallel = 1 },
		one("a-runs", suites.Shared, func(ctx context.Context, _ suites.Env) error {
			w.clusters[MainShard].died <- errors.New("etcd ended (signal: killed); the end of its log: out of memory")
			<-ctx.Done()
			return ctx.Err()
		}),
		one("b-waits", suites.Shared, nil),
	)
	if o.err != nil {
		t.Fatal(o.err)
	}
	o.want(t, "a-runs", fold.Broken, "out of memory")
	o.want(t, "b-waits", fold.NotRun, "the control plane died")
	if o.result.Err == nil || !o.result.Incomplete() || o.result.Interrupted {
		t.Errorf("result %+v", o.result)
	}
}

func TestCrashOfTheSchedulerIsRecordedAndTheRunGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		restarted := func() bool { w.sched.mu.Lock(); defer w.sched.mu.Unlock(); return w.sched.starts >= 2 }
		o := run(t, t.Context(), w, nil, one("a", suites.Shared, func(context.Context, suites.Env) error {
			w.sched.exited <- history.Sample{Exit: "exit status 2", Log: []string{"panic: assignment to entry in nil map"}}
			for !restarted() {
				time.Sleep(time.Millisecond)
			}
			return nil
		}))
		if o.err != nil || o.result.Incomplete() {
			t.Fatalf("%v, %+v", o.err, o.result)
		}
		o.want(t, "a", fold.Executed, "")
		i := slices.IndexFunc(o.events, func(e history.Event) bool { return e.Verb == history.VerbCrash })
		if i < 0 || o.events[i].Sample.Process != history.ProcessScheduler || len(o.events[i].Sample.Log) != 1 {
			t.Errorf("the crash is not in the record")
		}
	})
}

func TestSchedulerThatKeepsCrashingEndsTheRun(t *testing.T) {
	w := newWorld()
	o := run(t, t.Context(), w, func(o *Options) { o.Parallel = 1; o.Crashes = 2 },
		one("a", suites.Shared, func(ctx context.Context, _ suites.Env) error {
			w.sched.exited <- history.Sample{Exit: "exit status 2"}
			w.sched.exited <- history.Sample{Exit: "exit status 2"}
			<-ctx.Done()
			return nil
		}),
		one("b", suites.Shared, nil),
	)
	if o.err != nil {
		t.Fatal(o.err)
	}
	o.want(t, "a", fold.Broken, "keeps crashing")
	o.want(t, "b", fold.NotRun, "keeps crashing")
	if !o.result.Incomplete() {
		t.Error("the run counts as complete")
	}
}

func TestWhatDoesNotStartIsAnError(t *testing.T) {
	for name, spoil := range map[string]func(*world){
		"cluster":   func(w *world) { w.clusterErr = errors.New("wrong") },
		"API":       func(w *world) { w.checkErr = errors.New("wrong") },
		"scheduler": func(w *world) { w.sched.readyErr = errors.New("wrong") },
	} {
		w := newWorld()
		spoil(w)
		o := run(t, t.Context(), w, nil, one("a", suites.Shared, nil))
		if o.err == nil || !strings.Contains(o.err.Error(), "wrong") {
			t.Errorf("%s: %v", name, o.err)
		}
		if c := w.clusters[MainShard]; c != nil && !c.stopped {
			t.Errorf("%s: the cluster was left running", name)
		}
	}
}

func TestOwnClusterThatDoesNotStartBreaksItsScenarioAlone(t *testing.T) {
	w := newWorld()
	o := run(t, t.Context(), w, nil,
		one("a", suites.Shared, func(context.Context, suites.Env) error { w.clusterErr = errors.New("no memory"); return nil }),
		one("b", suites.OwnCluster, nil),
	)
	if o.err != nil {
		t.Fatal(o.err)
	}
	o.want(t, "a", fold.Executed, "")
	o.want(t, "b", fold.Broken, "no memory")
}
