package record

import (
	"context"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/fakes/nodes"
	"muster/suites/history"
)

func TestSyncWaitsForTheWatch(t *testing.T) {
	scope := &history.Scope{Scenario: "s", Namespaces: []string{"ns"}, Pools: map[string]string{"p": "p-real"}}
	for _, c := range []struct {
		name string
		act  func(a *api)
		// waits: Sync must not return before the watches deliver.
		waits bool
	}{
		{"a pod of the scope", func(a *api) { a.put("pods", "ns", "a", spec("n")) }, true},
		{"the end of one", func(a *api) { a.delete("pods", "ns", "a") }, true},
		{"a gang of the scope", func(a *api) { a.put("gangs", "ns", "g", object{"quorum": 1}) }, true},
		{"a node of its pool", func(a *api) {
			a.put("nodes", "", "n", object{"metadata": object{"name": "n", "uid": "n", "labels": object{nodes.PoolLabel: "p-real"}}})
		}, true},
		{"a pod of another namespace", func(a *api) { a.put("pods", "other", "x", spec("n")) }, false},
		{"nothing", func(a *api) {}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := startBench(t)
			b.api.put("pods", "ns", "a", spec(""))
			if err := b.rec.Sync(b.ctx, scope); err != nil {
				t.Fatal(err)
			}
			b.api.hold(true)
			c.act(b.api)
			short, cancel := context.WithTimeout(b.ctx, 50*time.Millisecond)
			defer cancel()
			if c.waits {
				if err := b.rec.Sync(short, scope); err == nil || !strings.Contains(err.Error(), "has not told what a list") {
					t.Fatalf("Sync did not wait: %v", err)
				}
				b.api.hold(false)
			}
			if err := b.rec.Sync(b.ctx, scope); err != nil {
				t.Fatal(err)
			}
			b.api.hold(false)
		})
	}
}

func TestWaitFor(t *testing.T) {
	b := startBench(t)
	rv := b.api.put("pods", "ns", "a", spec(""))
	if err := b.rec.WaitFor(b.ctx, pods, rv); err != nil {
		t.Fatal(err)
	}
	b.api.tell("pods", "BOOKMARK", object{"kind": "Pod", "apiVersion": "v1", "metadata": object{"resourceVersion": "5000"}})
	if err := b.rec.WaitFor(b.ctx, pods, "4999"); err != nil {
		t.Errorf("after a bookmark: %v", err)
	}
	short, cancel := context.WithTimeout(b.ctx, 20*time.Millisecond)
	defer cancel()
	for want, err := range map[string]error{
		"it is at 5000":      b.rec.WaitFor(short, pods, "5001"),
		"is not recorded":    b.rec.WaitFor(b.ctx, schema.GroupVersionResource{Resource: "things"}, "1"),
		"it is not a number": b.rec.WaitFor(b.ctx, pods, "x"),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
