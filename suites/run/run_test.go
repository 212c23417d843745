package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/run/fold"
	"muster/suites/run/judge"
	"muster/suites/run/plan"
	"muster/workloads/dialect"
)

// one is a scenario that does what it is told.
func one(name string, isolation suites.Isolation, drive func(context.Context, suites.Env) error) suites.Scenario {
	if drive == nil {
		drive = func(context.Context, suites.Env) error { return nil }
	}
	return suites.Scenario{
		Name: name, Profile: "gang", Summary: name, Requirements: []string{"GANG-001"}, Isolation: isolation, Drive: drive,
		Judge: func(*history.View) []suites.Finding { return []suites.Finding{suites.Passed("GANG-001", "held")} },
	}
}

type outcome struct {
	result *Result
	err    error
	by     map[string]fold.Scenario
	events []history.Event
	header history.Header // of the main shard
	// headers of all shards, by name.
	headers map[string]history.Header
}

// run runs scenarios in a world and reads back what was recorded.
func run(t *testing.T, ctx context.Context, w World, change func(*Options), scenarios ...suites.Scenario) outcome {
	t.Helper()
	d, err := dialect.Load(dialect.Native)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{
		Plan:  &plan.Plan{Scenarios: scenarios, Profiles: []string{"gang"}, Expected: []suites.Requirement{{ID: "GANG-001"}}},
		World: w, Dialect: d, Dir: t.TempDir(), Seed: 1, Stagger: time.Millisecond,
		Profile: history.SchedulerProfile{Name: "mine", SchedulerNames: []string{"mine"}, Dialect: "native", SettleBase: 1},
	}
	if change != nil {
		change(&o)
	}
	out := outcome{by: map[string]fold.Scenario{}, headers: map[string]history.Header{}}
	out.result, out.err = Run(ctx, o)
	if out.err != nil {
		return out
	}
	j := &judge.Judge{
		Reader: func(name string) (history.Dialect, error) { return dialect.Load(name) },
		Scenario: func(name string) (suites.Scenario, bool) {
			i := slices.IndexFunc(scenarios, func(s suites.Scenario) bool { return s.Name == name })
			if i < 0 {
				return suites.Scenario{Name: name}, true
			}
			return scenarios[i], true
		},
	}
	for _, shard := range out.result.Shards {
		f, err := os.Open(shard)
		if err != nil {
			t.Fatal(err)
		}
		h, err := history.Read(f, filepath.Base(shard))
		if err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
		results, _, err := j.History(h)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results {
			out.by[r.Name] = r
		}
		out.events = append(out.events, h.Events...)
		out.headers[h.Header.Name] = h.Header
		if h.Header.Name == MainShard {
			out.header = h.Header
		}
	}
	return out
}

func (o outcome) want(t *testing.T, name string, status fold.Status, reason string) {
	t.Helper()
	got, ok := o.by[name]
	if !ok {
		t.Errorf("%s: no word about it in the record", name)
		return
	}
	if got.Status != status || !strings.Contains(got.Reason, reason) {
		t.Errorf("%s: %s (%s), want %s (%s)", name, got.Status, got.Reason, status, reason)
	}
}

func TestEveryScenarioLeavesItsOutcome(t *testing.T) {
	o := run(t, t.Context(), newWorld(), func(o *Options) {
		o.Plan.Filtered = []suites.Scenario{one("unwanted", suites.Shared, nil)}
		o.Limit = 200 * time.Millisecond
	},
		one("fine", suites.Shared, nil),
		one("errs", suites.Shared, func(context.Context, suites.Env) error { return errors.New("no API") }),
		one("panics", suites.Shared, func(context.Context, suites.Env) error { panic("nil map") }),
		one("hangs", suites.Shared, func(ctx context.Context, _ suites.Env) error { <-ctx.Done(); return nil }),
		one("alone", suites.Exclusive, nil),
		one("apart", suites.OwnCluster, nil),
		func() suites.Scenario {
			s := one("demanding", suites.Shared, nil)
			s.Needs.Capabilities = []string{"break-api"}
			return s
		}(),
	)
	if o.err != nil || o.result.Incomplete() {
		t.Fatalf("%v, %+v", o.err, o.result)
	}
	o.want(t, "fine", fold.Executed, "")
	o.want(t, "errs", fold.Broken, "no API")
	o.want(t, "panics", fold.Broken, "run_test.go")
	o.want(t, "hangs", fold.Broken, "did not end within")
	o.want(t, "alone", fold.Executed, "")
	o.want(t, "apart", fold.Executed, "")
	o.want(t, "demanding", fold.Unsupported, "break-api")
	o.want(t, "unwanted", fold.Filtered, "not asked for")
	if len(o.result.Shards) != 2 || filepath.Base(o.result.Shards[0]) != "main.jsonl" || o.by["apart"].Shard != "apart.jsonl" {
		t.Errorf("shards %v; apart is in %s", o.result.Shards, o.by["apart"].Shard)
	}
}

// Without a scheduler only what is about the control plane runs, and no cluster is started for anything else.
func TestNoScheduler(t *testing.T) {
	control := one("control", suites.Shared, nil)
	control.Requirements = []string{"GANG-001", "API-001"}
	w := newWorld()
	w.none = true
	apart := one("apart", suites.OwnCluster, nil)
	o := run(t, t.Context(), w, func(o *Options) {
		o.NoScheduler = true
		o.Requirements = []suites.Requirement{{ID: "GANG-001"}, {ID: "API-001", Subject: suites.ControlPlane}}
	}, one("binds", suites.Shared, func(context.Context, suites.Env) error { return errors.New("it ran") }), control, apart)
	if o.err != nil || o.result.Incomplete() {
		t.Fatalf("%v, %+v", o.err, o.result)
	}
	o.want(t, "binds", fold.Unsupported, plan.NoScheduler)
	o.want(t, "apart", fold.Unsupported, plan.NoScheduler)
	o.want(t, "control", fold.Executed, "")
	if len(w.clusters) != 1 {
		t.Errorf("%d clusters were started", len(w.clusters))
	}
	h := o.header
	if h.MusterInfo[plan.InfoScheduler] != plan.InfoNone {
		t.Errorf("the header does not say that there was no scheduler: %v", h.MusterInfo)
	}
	if off := plan.OfferOf(&h).Unsupported([]suites.Requirement{{ID: "GANG-001"}}); off["GANG-001"] != plan.NoScheduler {
		t.Errorf("judged from the record: %v", off)
	}
}

func TestIsolation(t *testing.T) {
	var running, most, beside atomic.Int64
	enter := func(exclusive bool) func(context.Context, suites.Env) error {
		return func(context.Context, suites.Env) error {
			n := running.Add(1)
			defer running.Add(-1)
			if exclusive && n > 1 {
				beside.Add(1)
			}
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			time.Sleep(time.Second)
			return nil
		}
	}
	var all []suites.Scenario
	for i := range 8 {
		all = append(all, one(fmt.Sprintf("shared-%d", i), suites.Shared, enter(false)))
	}
	all = append(all, one("alone-a", suites.Exclusive, enter(true)), one("alone-b", suites.Exclusive, enter(true)))
	// Time is make-believe: the scenarios overlap however slow the machine is.
	synctest.Test(t, func(t *testing.T) {
		run(t, t.Context(), newWorld(), func(o *Options) { o.Parallel = 3 }, all...)
	})
	if most.Load() != 3 {
		t.Errorf("%d scenarios ran beside one another, want 3", most.Load())
	}
	if beside.Load() != 0 {
		t.Errorf("an exclusive scenario had company")
	}
}

func TestHeavyScenariosStartFirst(t *testing.T) {
	var mu sync.Mutex
	var order []string
	var all []suites.Scenario
	for i, weight := range []int{1, 30, 7} {
		name := fmt.Sprintf("s%d-%d", i, weight)
		s := one(name, suites.Shared, func(context.Context, suites.Env) error {
			mu.Lock()
			defer mu.Unlock()
			order = append(order, name)
			return nil
		})
		s.Weight = weight
		all = append(all, s)
	}
	run(t, t.Context(), newWorld(), func(o *Options) { o.Parallel = 1 }, all...)
	if got := strings.Join(order, " "); got != "s1-30 s2-7 s0-1" {
		t.Errorf("order %s", got)
	}
}
