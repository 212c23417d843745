package progress

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestProgressWritesLinesWhereThereIsNoTerminal(t *testing.T) {
	var b bytes.Buffer
	p := New(&b, false)
	now := time.Unix(0, 0)
	p.now = func() time.Time { return now }
	p.Phase("running scenarios")
	p.Phase("running scenarios")
	p.Planned(map[string]int{"short": 5, "long": 60, "late": 10})
	p.Started("short")
	p.Started("long")
	now = now.Add(6 * time.Second)
	p.Ended("short", "Executed", 6*time.Second)
	p.Warn("the disk is nearly full")
	p.Done()
	want := "running scenarios\n[1/3] short done after 6.0 s; about 64 s left\nwarning: the disk is nearly full\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

func TestProgressDoesNotCountDownToNothing(t *testing.T) {
	var b bytes.Buffer
	p := New(&b, false)
	now := time.Unix(0, 0)
	p.now = func() time.Time { return now }
	p.Planned(map[string]int{"a": 5, "b": 5})
	p.Started("a")
	p.Started("b")
	now = now.Add(20 * time.Second)
	p.Ended("a", "Broken", 20*time.Second)
	p.Ended("b", "Executed", 20*time.Second)
	p.Done()
	want := "[1/2] a broken after 20.0 s; longer than expected\n[2/2] b done after 20.0 s\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

func TestProgressRewritesOneLineOnATerminal(t *testing.T) {
	var b bytes.Buffer
	p := New(&b, false)
	p.live = true
	p.Planned(map[string]int{"long": 60})
	p.Started("long")
	p.locked(p.draw)
	if got := b.String(); strings.Contains(got, "\n") || !strings.Contains(got, "[0/1] 1 running, about 60 s left; longest: long") {
		t.Errorf("got %q", got)
	}
	p.Warn("x")
	if got := b.String(); !strings.HasSuffix(got, "\r\x1b[Kwarning: x\n") {
		t.Errorf("a warning is written over the live line: %q", got)
	}
	p.Done()
}
