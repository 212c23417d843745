package record

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"pgregory.net/rapid"

	"muster/fakes/nodes"
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
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	b := &bench{t: t, api: a, out: &buffer{}, ctx: ctx}
	opts := Options{Config: a.config(), Out: b.out, Resources: []schema.GroupVersionResource{gangs, {Group: "batch", Version: "v1", Resource: "jobs"}},
		Header:     history.Header{Cluster: "c", Name: "main", Storage: history.SingleEtcd, Scheduler: history.SchedulerProfile{SchedulerNames: []string{"sut"}}},
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

func TestRecord(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", "", "old", object{"status": object{"phase": "Running"}})
	b := startOn(t, a)
	if got := b.rec.Skipped(); len(got) != 1 || got[0].Resource != "jobs" {
		t.Errorf("skipped %v", got)
	}
	a.put("gangs", "ns", "g", object{"quorum": 2})
	a.put("pods", "ns", "a", spec(""))
	a.put("pods", "ns", "a", spec("old"))
	a.put("pods", "ns", "b", spec(""))
	a.delete("pods", "ns", "b")
	h := b.close()
	v := view(h)
	if len(v.Gaps) != 0 {
		t.Errorf("gaps %+v", v.Gaps)
	}
	if p := v.Pod("a"); p == nil || p.Node != "old" || !p.ByScheduler() {
		t.Errorf("pod a %+v", p)
	}
	if p := v.Pod("b"); p == nil || p.Gone.IsZero() || !p.Bound.IsZero() {
		t.Errorf("pod b %+v", p)
	}
	if v.Node("old") == nil || v.Gang("g") == nil || v.Gang("g").Quorum[0].Value != 2 {
		t.Errorf("node %v, gang %v", v.Node("old"), v.Gang("g"))
	}
	text := b.out.String()
	if strings.Contains(text, "secret-value") || !strings.Contains(text, "TOKEN") {
		t.Error("environment values are stored, or their names are not")
	}
	if !b.out.closed {
		t.Error("the file was not closed")
	}
	for _, e := range h.Events {
		if e.Verb == history.VerbModified && (e.Resource != "pods" || len(e.Patch) == 0 || len(e.Object) > 0) {
			t.Errorf("a change is not stored as a patch: %+v", e)
		}
	}
	if err := b.rec.Close(b.ctx); err != nil {
		t.Errorf("closing again: %v", err)
	}
}

func TestStartRefuses(t *testing.T) {
	a := newAPI(t)
	ctx := context.Background()
	for name, opts := range map[string]Options{
		"nothing":     {},
		"secrets":     {Config: a.config(), Out: &buffer{}, Resources: []schema.GroupVersionResource{{Version: "v1", Resource: "secrets"}}},
		"a full disk": {Config: a.config(), Out: &buffer{room: 1}},
	} {
		if _, err := Start(ctx, opts); err == nil {
			t.Errorf("%s: started", name)
		}
	}
	gone := newAPI(t)
	gone.server.Close()
	if _, err := Start(ctx, Options{Config: gone.config(), Out: &buffer{}}); err == nil || !strings.Contains(err.Error(), "starting the recorder") {
		t.Errorf("no server: %v", err)
	}
}

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

func TestActionsAndSamples(t *testing.T) {
	b := startBench(t)
	wall, mono := b.rec.Now()
	raw := json.RawMessage(`{"kind":"Pod","spec":{"containers":[{"env":[{"name":"A","value":"hidden"}]}]}}`)
	action := &history.Action{Scenario: "s", Label: "l", SentWall: wall, SentMono: mono,
		Response: history.Response{Code: 201, RV: "77", Object: raw}}
	f := b.rec.Action(history.Event{Verb: history.VerbCreate, Resource: "pods", Object: raw, Action: action})
	if f.Seq == 0 || f.At.IsZero() || f.Origin != history.Driver || f.Stream != "driver:s" || f.Mono < mono {
		t.Errorf("recorded %+v", f)
	}
	if !strings.Contains(string(action.Response.Object), "hidden") {
		t.Error("the caller's own action was changed")
	}
	b.rec.Action(history.Event{Verb: history.VerbCreate, Resource: "secrets", Action: &history.Action{Scenario: "s"},
		Object: json.RawMessage(`{"kind":"Secret","data":{"x":"hidden"},"stringData":{"y":"hidden"}}`)})
	b.rec.Action(history.Event{Verb: history.VerbPatch, Action: &history.Action{}, Patch: json.RawMessage(`hidden, no JSON`)})
	b.rec.Action(history.Event{Verb: history.VerbMark, Name: "m"})
	b.rec.Sample(history.VerbProcess, history.Sample{Process: "scheduler", RSS: 5})
	h := b.close()
	if strings.Contains(b.out.String(), "hidden") {
		t.Error("a secret or an environment value is stored")
	}
	v := view(h)
	if m, ok := v.Mark("m"); !ok || m.Order>>20 != 77 {
		t.Errorf("the mark lies at %v, want behind the driver's response", m)
	}
	if r, ok := v.Try("l"); !ok || r.Code != 201 {
		t.Errorf("response %+v", r)
	}
	if f := b.rec.Action(history.Event{Verb: history.VerbMark, Name: "late"}); f.Seq != 0 {
		t.Errorf("recorded after the end: %+v", f)
	}
}

func TestFullDisk(t *testing.T) {
	told := make(chan error, 10)
	b := startBench(t, func(o *Options) {
		o.Out = &buffer{room: 4096}
		o.FlushEvery = time.Millisecond
		o.OnError = func(err error) { told <- err }
	})
	sub := b.rec.Subscribe()
	for i := range 40 {
		b.rec.Action(history.Event{Verb: history.VerbMark, Name: fmt.Sprint(i, strings.Repeat("x", 5000))})
	}
	err := <-told
	if !strings.Contains(err.Error(), "no space left") || b.rec.Err() == nil {
		t.Errorf("told %v, Err %v", err, b.rec.Err())
	}
	b.rec.Action(history.Event{Verb: history.VerbMark, Name: "after"})
	seen := ""
	for seen != "after" {
		events, err := sub.Next(b.ctx)
		if err != nil {
			t.Fatalf("the live view ended with the disk: %v", err)
		}
		seen = events[len(events)-1].Name
	}
	if err := b.rec.Close(b.ctx); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("Close: %v", err)
	}
	if len(told) != 0 {
		t.Errorf("told again: %v", <-told)
	}
}

// Whatever happens, and however often connections break: the file holds the objects as they are, has no gap, and a
// subscriber's view is the file's.
func TestRecordHoldsWhatHappened(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := startBench(t)
		sub := b.rec.Subscribe()
		header := b.rec.Header()
		live := history.NewBuilder(&header, toy{}, history.Scope{})
		for range rapid.IntRange(1, 30).Draw(rt, "steps") {
			resource := rapid.SampledFrom([]string{"pods", "pods", "nodes", "gangs"}).Draw(rt, "resource")
			name := rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "name")
			ns := "ns"
			if resource == "nodes" {
				ns = ""
			}
			b.api.mu.Lock()
			exists := b.api.objects[resource][ns+"/"+name] != nil
			b.api.mu.Unlock()
			switch k := rapid.IntRange(0, 5).Draw(rt, "step"); {
			case k == 0:
				b.api.breakWatches()
			case k == 1 && exists:
				b.api.delete(resource, ns, name)
			case k == 2:
				b.rec.Action(history.Event{Verb: history.VerbMark, Name: name, Action: &history.Action{Scenario: "s"}})
			default:
				b.api.put(resource, ns, name, object{"status": object{"phase": rapid.SampledFrom([]string{"Pending", "Running", "Failed"}).Draw(rt, "phase")}})
			}
		}
		h := b.close()
		v := view(h)
		if len(v.Gaps) > 0 {
			rt.Fatalf("gaps %+v", v.Gaps)
		}
		for events, err := sub.Ready(); err == nil; events, err = sub.Ready() {
			for _, e := range events {
				live.AddFolded(e)
			}
		}
		if a, c := words(rt, live.View()), words(rt, v); a != c {
			rt.Fatalf("live\n%s\nstored\n%s", a, c)
		}
		for resource, objects := range b.api.objects {
			for key, o := range objects {
				_, name, _ := strings.Cut(key, "/")
				want := o["metadata"].(object)["resourceVersion"]
				got := ""
				switch resource {
				case "pods":
					got = v.Pod(name).Object.ResourceVersion
				case "nodes":
					n, _ := history.Latest(v.Node(name).Object)
					got = n.ResourceVersion
				case "gangs":
					continue // a view keeps no whole gang; its gap check has compared versions
				}
				if got != want {
					rt.Fatalf("%s %s is recorded at %s, is at %s", resource, name, got, want)
				}
			}
		}
	})
}

// words is what a view says of its objects.
func words(t *rapid.T, v *history.View) string {
	var all []any
	for _, p := range v.Pods {
		all = append(all, p)
	}
	for _, g := range v.Gangs {
		all = append(all, g)
	}
	for _, n := range v.Nodes {
		all = append(all, n)
	}
	all = append(all, v.Actions)
	raw, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
