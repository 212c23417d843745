package record

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"muster/suites/history"
)

// mark records a mark and is how these tests make events.
func (b *bench) mark(name string) {
	b.rec.Action(history.Event{Verb: history.VerbMark, Name: name})
}

func names(events []*history.Folded) (out []string) {
	for _, e := range events {
		out = append(out, e.Name)
	}
	return out
}

func TestSubscribeFromNowOn(t *testing.T) {
	b := startBench(t)
	b.mark("before")
	one := b.rec.Subscribe()
	b.mark("a")
	two := b.rec.Subscribe()
	b.mark("b")
	for sub, want := range map[*Subscription]string{one: "[a b]", two: "[b]"} {
		got, err := sub.Next(b.ctx)
		if err != nil || fmt.Sprint(names(got)) != want {
			t.Errorf("got %v (%v), want %s", names(got), err, want)
		}
		if got, err := sub.Ready(); err != nil || len(got) != 0 {
			t.Errorf("read everything, got %v (%v)", names(got), err)
		}
	}
}

func TestNextWaits(t *testing.T) {
	b := startBench(t)
	sub := b.rec.Subscribe()
	got := make(chan string)
	go func() {
		events, err := sub.Next(b.ctx)
		got <- fmt.Sprint(names(events), err)
	}()
	b.mark("a")
	if s := <-got; s != "[a] <nil>" {
		t.Error(s)
	}
	ctx, cancel := context.WithCancel(b.ctx)
	cancel()
	if _, err := sub.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context ended: %v", err)
	}
}

func TestSubscriptionEnds(t *testing.T) {
	b := startBench(t)
	sub, other := b.rec.Subscribe(), b.rec.Subscribe()
	b.mark("a")
	other.Close()
	if _, err := other.Next(b.ctx); !errors.Is(err, ErrClosed) {
		t.Errorf("after its own end: %v", err)
	}
	b.close()
	events, err := sub.Next(b.ctx)
	if err != nil || events[0].Name != "a" || events[len(events)-1].Origin != history.Closing {
		t.Errorf("what was recorded before the end: %v (%v)", names(events), err)
	}
	if _, err := sub.Next(b.ctx); !errors.Is(err, ErrClosed) {
		t.Errorf("after the recorder's end: %v", err)
	}
	if err := b.rec.WaitFor(b.ctx, pods, "99999"); !errors.Is(err, ErrClosed) {
		t.Errorf("waiting after the end: %v", err)
	}
}

// A subscriber that does not read is cut off and forgotten; one that reads is not.
func TestLag(t *testing.T) {
	b := startBench(t, func(o *Options) { o.MaxLag = 300 })
	lazy, eager := b.rec.Subscribe(), b.rec.Subscribe()
	seen := 0
	for i := range 1000 {
		b.mark(fmt.Sprint(i))
		events, err := eager.Ready()
		if err != nil {
			t.Fatal(err)
		}
		seen += len(events)
	}
	if seen != 1000 {
		t.Errorf("the eager one saw %d events", seen)
	}
	if _, err := lazy.Next(b.ctx); !errors.Is(err, ErrLagged) {
		t.Errorf("the lazy one: %v", err)
	}
	if lazy.at != nil || len(b.rec.subscribers) != 1 {
		t.Error("the lazy one still holds its events")
	}
}
