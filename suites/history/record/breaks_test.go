package record

import (
	"context"
	"strings"
	"testing"
	"time"
)

// What a watch that breaks leaves behind.
func TestBreaks(t *testing.T) {
	status410 := object{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Expired", "code": 410, "message": "too old"}
	for _, c := range []struct {
		name string
		tell func(b *bench)
		gaps int
	}{
		{"a connection that is cut goes on where it was", func(b *bench) {
			b.api.hold(true)
			b.api.put("pods", "ns", "c", spec(""))
			b.api.breakWatches()
			b.api.put("pods", "ns", "a", spec("n"))
			b.api.hold(false)
		}, 0},
		{"410 when it is opened again", func(b *bench) {
			b.api.hold(true)
			b.api.put("pods", "ns", "c", spec(""))
			b.api.put("pods", "ns", "a", spec("n"))
			b.api.delete("pods", "ns", "b")
			b.api.expire()
			b.api.breakWatches()
			b.api.hold(false)
		}, 3}, // pods, nodes and gangs alike
		{"an ERROR event", func(b *bench) {
			b.api.tell("pods", "ERROR", status410)
			b.api.put("pods", "ns", "c", spec(""))
			b.api.put("pods", "ns", "a", spec("n"))
			b.api.delete("pods", "ns", "b")
		}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := startBench(t)
			b.api.put("pods", "ns", "a", spec(""))
			b.api.put("pods", "ns", "b", spec(""))
			if err := b.rec.Sync(b.ctx, nil); err != nil {
				t.Fatal(err)
			}
			c.tell(b)
			if err := b.rec.Sync(b.ctx, nil); err != nil {
				t.Fatal(err)
			}
			if c.gaps > 1 {
				// The relists of the other resources change nothing that Sync could wait for.
				b.waitErrors(c.gaps)
			}
			if c.name == "a connection that is cut goes on where it was" {
				b.api.delete("pods", "ns", "b")
			}
			v := view(b.close())
			if len(v.Gaps) != c.gaps {
				t.Errorf("gaps %+v, want %d", v.Gaps, c.gaps)
			}
			for _, g := range v.Gaps {
				if g.To.IsZero() {
					t.Errorf("the gap %+v has no end although the resource was listed again", g)
				}
			}
			if p := v.Pod("a"); p.Node != "n" {
				t.Errorf("pod a %+v", p)
			}
			if p := v.Pod("b"); p.Gone.IsZero() {
				t.Errorf("pod b is not gone: %+v", p)
			}
			if p := v.Pod("c"); p == nil || !p.Gone.IsZero() {
				t.Errorf("pod c %+v", p)
			}
		})
	}
}

// waitErrors waits until as many watches have broken and been listed again.
func (b *bench) waitErrors(n int) {
	b.t.Helper()
	err := b.rec.wait(b.ctx, func() bool {
		if b.rec.writer.Flush() != nil {
			return true
		}
		done := 0
		for line := range strings.Lines(b.out.String()) {
			if strings.Contains(line, `"origin":"relist"`) && strings.Contains(line, `"verb":"sync"`) {
				done++
			}
		}
		return done >= n
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// An event that the watch never delivers: Close does not pretend, and readers see that the record is not complete.
func TestLostEvent(t *testing.T) {
	b := startBench(t)
	b.api.put("pods", "ns", "a", spec(""))
	if err := b.rec.Sync(b.ctx, nil); err != nil {
		t.Fatal(err)
	}
	b.api.hold(true)
	b.api.put("pods", "ns", "a", spec("n"))
	b.api.lose()
	b.api.hold(false)
	short, cancel := context.WithTimeout(b.ctx, 50*time.Millisecond)
	defer cancel()
	err := b.rec.Close(short)
	if err == nil || !strings.Contains(err.Error(), "has not told") {
		t.Errorf("Close: %v", err)
	}
	v := view(b.read())
	if len(v.GapsIn("pods")) == 0 {
		t.Errorf("gaps %+v", v.Gaps)
	}
}
