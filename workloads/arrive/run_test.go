package arrive

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

const s = time.Second

// takes submits in d of the bubble's time.
func takes(d time.Duration) func(context.Context, Item) error {
	return func(ctx context.Context, _ Item) error { return System{}.Until(ctx, time.Now().Add(d)) }
}

func TestOpenLoopKeepsItsTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, err := Run(t.Context(), Even(5, 1), Options{}, takes(10*s))
		if err != nil || a.Planned != 5 || len(a.Entries) != 5 {
			t.Fatalf("%+v, %v", a, err)
		}
		// Each takes ten seconds, and yet the next comes after one: a slow answer holds nobody up.
		for i, e := range a.Entries {
			at := time.Duration(i) * s
			if (e != Entry{Index: i, Intended: at, Sent: at, Done: at + 10*s}) {
				t.Errorf("%+v", e)
			}
		}
		if a.Offered != 1 || a.Achieved() != 1 {
			t.Errorf("offered %v, achieved %v", a.Offered, a.Achieved())
		}
	})
}

// No coordinated omission: with one worker that stalls for ten seconds, the items of those seconds are late, and each by
// its own measure.
func TestStallIsSeenByEverythingItDelays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stall := func(ctx context.Context, i Item) error {
			if i.Index == 2 {
				return takes(10*s)(ctx, i)
			}
			return nil
		}
		a, err := Run(t.Context(), Even(15, 1), Options{Workers: 1}, stall)
		if err != nil {
			t.Fatal(err)
		}
		// Item 2 is sent at 2 s and done at 12; items 3…11 are sent then, 12 and on at their time.
		for i, late := range a.Lateness() {
			want := time.Duration(0)
			if i > 2 && i < 12 {
				want = time.Duration(12-i) * s
			}
			if late != want {
				t.Errorf("item %d was %v late; want %v", i, late, want)
			}
		}
	})
}

func TestBurstIsAsFastAsItsWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int32
		a, err := Run(t.Context(), Burst(100), Options{Workers: 10}, func(ctx context.Context, i Item) error {
			if n := now.Add(1); n > most.Load() {
				most.Store(n)
			}
			defer now.Add(-1)
			return takes(s)(ctx, i)
		})
		if err != nil || most.Load() > 10 {
			t.Fatalf("%d at once, %v", most.Load(), err)
		}
		// Ten rounds of a second: the last is done at 10 s, the first at 1 s.
		if a.Offered != 0 || a.Achieved() != 99.0/9 {
			t.Errorf("offered %v, achieved %v", a.Offered, a.Achieved())
		}
	})
}

// gate notes what happened to it.
type gate struct {
	mu         sync.Mutex
	log        []string
	hold, free error
}

func (g *gate) note(what string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.log = append(g.log, what)
}

func (g *gate) Hold(context.Context) error { g.note("hold"); return g.hold }

func (g *gate) Release(ctx context.Context) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	g.note("release")
	return g.free
}

func TestBacklogIsWholeBeforeTheSchedulerGoes(t *testing.T) {
	broken := errors.New("broken")
	tests := []struct {
		name   string
		gate   *gate
		submit error
		log    string
		fails  []error
	}{
		{"good", &gate{}, nil, "hold submit submit submit release", nil},
		{"cannot be held", &gate{hold: broken}, nil, "hold", []error{broken}},
		{"cannot be let go", &gate{free: broken}, nil, "hold submit submit submit release", []error{broken}},
		{"a submission fails: let go all the same", &gate{}, broken, "hold submit submit submit release", []error{broken, ErrIncomplete}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, err := Run(t.Context(), Burst(3), Options{Gate: tc.gate}, func(ctx context.Context, i Item) error {
					defer tc.gate.note("submit")
					if err := takes(s)(ctx, i); err != nil {
						return err
					}
					return tc.submit
				})
				if got := strings.Join(tc.gate.log, " "); got != tc.log || a == nil {
					t.Errorf("%s; want %s", got, tc.log)
				}
				for _, want := range tc.fails {
					if !errors.Is(err, want) {
						t.Errorf("%v; want %v", err, want)
					}
				}
				if len(tc.fails) == 0 && (err != nil || a.Released.Sub(a.Start) != s) {
					t.Errorf("%v, released after %v", err, a.Released.Sub(a.Start))
				}
			})
		})
	}
}

func TestFailedItemsAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		odd := errors.New("odd")
		a, err := Run(t.Context(), Even(10, 1), Options{}, func(_ context.Context, i Item) error {
			if i.Index%2 == 1 {
				return odd
			}
			return nil
		})
		if !errors.Is(err, ErrIncomplete) || !errors.Is(err, odd) || !strings.Contains(err.Error(), "5 of 10") || a.Failed != 5 || len(a.Entries) != 5 {
			t.Errorf("%+v, %v", a, err)
		}
	})
}

// An interrupted run keeps what it has done.
func TestInterruptedRunKeepsItsAccount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		why := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		g := &gate{}
		a, err := Run(ctx, Even(10, 1), Options{Gate: g}, func(_ context.Context, i Item) error {
			if i.Index == 3 {
				cancel(why)
			}
			return nil
		})
		if !errors.Is(err, ErrIncomplete) || !errors.Is(err, why) || len(a.Entries) != 4 || a.Planned != 10 {
			t.Errorf("%+v, %v", a, err)
		}
		if !slices.Contains(g.log, "release") {
			t.Error("the scheduler was left held back")
		}
	})
}

func TestNothingToDo(t *testing.T) {
	a, err := Run(t.Context(), nil, Options{}, takes(0))
	if err != nil || a.Planned != 0 || a.Achieved() != 0 || len(a.Lateness()) != 0 {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestEveryItemOnce: whatever the schedule, the workers and the time an item takes, each is submitted once, never early,
// and the account agrees with what was submitted.
func TestEveryItemOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(0, 60).Draw(rt, "n")
		schedule := Poisson(n, rapid.Float64Range(0.1, 100).Draw(rt, "rate"), rapid.Int64().Draw(rt, "seed"))
		workers := rapid.IntRange(1, 8).Draw(rt, "workers")
		took := time.Duration(rapid.Int64Range(0, int64(3*s)).Draw(rt, "took"))
		synctest.Test(t, func(t *testing.T) {
			counts := make([]atomic.Int32, n)
			a, err := Run(t.Context(), schedule, Options{Workers: workers}, func(ctx context.Context, i Item) error {
				counts[i.Index].Add(1)
				if time.Now().Before(i.Intended) {
					return fmt.Errorf("item %d came early", i.Index)
				}
				return takes(took)(ctx, i)
			})
			if err != nil || len(a.Entries) != n {
				t.Fatalf("%d entries of %d, %v", len(a.Entries), n, err)
			}
			for i := range counts {
				if e := a.Entries[i]; counts[i].Load() != 1 || e.Index != i || e.Intended != schedule[i] || e.Done-e.Sent != took {
					t.Fatalf("item %d was submitted %d times: %+v", i, counts[i].Load(), e)
				}
			}
		})
	})
}
