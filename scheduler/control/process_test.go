package control

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
	"pgregory.net/rapid"

	"muster/scheduler/engine"
)

func TestLeaseIsHandedOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewClientset()
		o := ProcessOptions{Lease: &Lease{Namespace: "kube-system", Name: "l"}}
		var leading, most atomic.Int32
		run := func(ctx context.Context) error {
			most.Store(max(most.Load(), leading.Add(1)))
			<-ctx.Done()
			time.Sleep(time.Second) // binds under way
			leading.Add(-1)
			return nil
		}
		var standby [2]atomic.Bool
		var done [2]chan error
		var stop [2]context.CancelFunc
		for i := range 2 {
			var ctx context.Context
			ctx, stop[i] = context.WithCancel(t.Context())
			done[i] = make(chan error, 1)
			go func() { done[i] <- lead(ctx, client, o, &standby[i], run) }()
			time.Sleep(5 * time.Second)
			synctest.Wait()
		}
		if leading.Load() != 1 || standby[0].Load() || !standby[1].Load() {
			t.Fatalf("%d lead; standing by: %t, %t", leading.Load(), standby[0].Load(), standby[1].Load())
		}
		stop[0]()
		if err := <-done[0]; err != nil {
			t.Error(err)
		}
		// Far less than the lease's duration: it was given back. The one standing by tries every 2 s, which client-go
		// stretches by up to leaderelection.JitterFactor, to 4.4 s.
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if leading.Load() != 1 || standby[1].Load() {
			t.Errorf("%d lead after the first one has left", leading.Load())
		}
		stop[1]()
		if err := <-done[1]; err != nil {
			t.Error(err)
		}
		if most.Load() != 1 {
			t.Errorf("%d led at one time", most.Load())
		}
	})
}

func TestMissingAPIs(t *testing.T) {
	client := fake.NewClientset()
	client.Resources = []*metav1.APIResourceList{{GroupVersion: "scheduling.k8s.io/v1beta1", APIResources: []metav1.APIResource{
		{Name: "podgroups", Verbs: metav1.Verbs{"list", "watch"}}}}}
	groups, composites, err := missing(client.Discovery())
	if err != nil || groups || !composites {
		t.Errorf("missing: groups %t, composites %t, %v", groups, composites, err)
	}
}

func TestEndpoints(t *testing.T) {
	inBubble(t, func(w *world) {
		s, err := New(Options{Client: w.client})
		w.must(err)
		var standby atomic.Bool
		h := handler(s, s.opts.Metrics, standby.Load, false)
		get := func(path string) (int, string) {
			r := httptest.NewRecorder()
			h.ServeHTTP(r, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
			return r.Code, r.Body.String()
		}
		expect := func(path string, code int, part string) {
			t.Helper()
			if c, body := get(path); c != code || !strings.Contains(body, part) {
				t.Errorf("%s: %d %q, want %d %q", path, c, body, code, part)
			}
		}
		expect("/healthz", 200, "ok")
		expect("/readyz", 503, "not been read")
		standby.Store(true)
		expect("/readyz", 200, "another one leads")
		s.ready.Store(true)
		expect("/readyz", 200, "ok")
		expect("/metrics", 200, "muster_scheduler_bind_failures_total 0")
		expect("/debug/pprof/", 404, "")
		s.inbox.put(func() {})
		w.wait(2 * stuckAfter)
		expect("/healthz", 500, "waiting")
	})
}

func TestOptionsAreChecked(t *testing.T) {
	client := fake.NewClientset()
	for name, o := range map[string]Options{
		"no client":     {},
		"empty name":    {Client: client, Names: []string{""}},
		"negative wait": {Client: client, HeadWait: -1},
	} {
		if _, err := New(o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Whatever is pushed, once or again with another priority, comes out in order, each root once.
func TestQueueOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := newQueue()
		want := map[engine.Root]engine.RootInfo{}
		pods := 0
		for range rapid.IntRange(0, 40).Draw(t, "pushes") {
			r := engine.Root{Key: engine.Key{Namespace: ns, Name: rapid.StringMatching("[a-f]").Draw(t, "name")}}
			info := engine.RootInfo{Priority: rapid.Int32Range(-1, 1).Draw(t, "priority"), Created: rapid.Int64Range(0, 2).Draw(t, "created"), Pending: rapid.IntRange(0, 3).Draw(t, "pods")}
			q.push(r, info)
			pods += info.Pending - want[r].Pending
			want[r] = info
			if q.pods != pods {
				t.Fatalf("%d pods, want %d", q.pods, pods)
			}
		}
		var last *entry
		for n := len(want); n > 0; n-- {
			r, ok := q.pop()
			info, expected := want[r]
			if !ok || !expected {
				t.Fatalf("popped %v, %t", r, ok)
			}
			delete(want, r)
			e := &entry{root: r, priority: info.Priority, created: info.Created}
			if last != nil && before(e, last) {
				t.Fatalf("%v came after %v", e, last)
			}
			last = e
		}
		if _, ok := q.pop(); ok || q.pods != 0 {
			t.Fatalf("something is left, or %d pods", q.pods)
		}
	})
}
