package record

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/suites/history"
	"muster/workloads/dialect"
)

var gangs = schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "gangs"}
var pods = schema.GroupVersionResource{Version: "v1", Resource: "pods"}

// toy reads gangs.example.com.
type toy struct{}

func (toy) Name() string { return "toy" }
func (toy) Read(obj map[string]any, gvr schema.GroupVersionResource) (dialect.Group, bool) {
	n, _ := obj["quorum"].(int64)
	return dialect.Group{Quorum: int32(n)}, gvr == gangs
}
func (toy) Member(p *corev1.Pod) (string, bool) { return p.Labels["gang"], p.Labels["gang"] != "" }

// buffer is a file in memory.
type buffer struct {
	mu     sync.Mutex
	b      bytes.Buffer
	room   int // 0: no limit
	closed bool
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.room > 0 && b.b.Len()+len(p) > b.room {
		return 0, fmt.Errorf("no space left on device")
	}
	return b.b.Write(p)
}

func (b *buffer) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	return nil
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// bench is a recorder on an API.
type bench struct {
	t   testing.TB
	api *api
	rec *Recorder
	out *buffer
	ctx context.Context
}

func startBench(t testing.TB, edits ...func(*Options)) *bench {
	t.Helper()
	return startOn(t, newAPI(t), edits...)
}

func startOn(t testing.TB, a *api, edits ...func(*Options)) *bench {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	t.Cleanup(cancel)
	b := &bench{t: t, api: a, out: &buffer{}, ctx: ctx}
	opts := Options{Config: a.config(), Out: b.out, Resources: []schema.GroupVersionResource{gangs, {Group: "batch", Version: "v1", Resource: "jobs"}},
		Header:     history.Header{Cluster: "c", Name: "main", Storage: history.SingleEtcd, Scheduler: history.SchedulerProfile{SchedulerNames: []string{"sut"}, SettleRoot: 10, SettleBase: 5}},
		RetryAfter: time.Millisecond}
	for _, edit := range edits {
		edit(&opts)
	}
	rec, err := Start(ctx, opts)
	if err != nil {
		t.Fatal(err)
	}
	b.rec = rec
	t.Cleanup(func() { rec.stop() })
	return b
}

// close completes the record and reads it back strictly.
func (b *bench) close() *history.History {
	b.t.Helper()
	if err := b.rec.Close(b.ctx); err != nil {
		b.t.Fatal(err)
	}
	return b.read()
}

func (b *bench) read() *history.History {
	b.t.Helper()
	h, err := history.Read(strings.NewReader(b.out.String()), "main")
	if err != nil {
		b.t.Fatal(err)
	}
	return h
}

func view(h *history.History) *history.View { return history.NewView(h, toy{}, history.Scope{}) }

func spec(node string) object {
	return object{"spec": object{"schedulerName": "sut", "nodeName": node, "containers": []object{{"name": "c",
		"env": []object{{"name": "TOKEN", "value": "secret-value"}}}}}}
}
