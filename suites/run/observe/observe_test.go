package observe

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"muster/suites/history"
	"muster/suites/run/plan"
)

// api is a cluster of one node and no pods in which nothing happens; it takes nothing but get, list and watch.
type api struct {
	mu      sync.Mutex
	methods map[string]bool
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	a.methods[r.Method] = true
	a.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	say := func(text string) { _, _ = io.WriteString(w, text) }
	switch {
	case r.URL.Path == "/version":
		say(`{"major":"1","minor":"37","gitVersion":"v1.37.2"}`)
	case r.URL.Path == "/api/v1/namespaces/kube-system":
		say(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"kube-system","uid":"the-cluster"}}`)
	case r.URL.Path == "/api/v1":
		say(`{"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"pods","kind":"Pod","namespaced":true},{"name":"nodes","kind":"Node"}]}`)
	case r.URL.Query().Get("watch") == "true":
		kind := map[string]string{"/api/v1/pods": "Pod", "/api/v1/nodes": "Node"}[r.URL.Path]
		say(fmt.Sprintf(`{"type":"BOOKMARK","object":{"apiVersion":"v1","kind":%q,"metadata":{"resourceVersion":"5"}}}`+"\n", kind))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	case r.URL.Path == "/api/v1/pods":
		say(`{"apiVersion":"v1","kind":"PodList","metadata":{"resourceVersion":"5"},"items":[]}`)
	case r.URL.Path == "/api/v1/nodes":
		say(`{"apiVersion":"v1","kind":"NodeList","metadata":{"resourceVersion":"5"},"items":[{"metadata":{"name":"n","uid":"u","resourceVersion":"4"}}]}`)
	default:
		w.WriteHeader(http.StatusNotFound)
		say(`{"apiVersion":"v1","kind":"Status","status":"Failure","reason":"NotFound","code":404}`)
	}
}

type file struct {
	bytes.Buffer
	closed bool
}

func (f *file) Close() error { f.closed = true; return nil }

func options(url string, out *file) Options {
	return Options{
		Config: &rest.Config{Host: url}, Out: out, For: 50 * time.Millisecond,
		Profile: history.SchedulerProfile{Name: "s", SchedulerNames: []string{"s"}, Dialect: "native", SettleRoot: 10, SettleBase: 5},
	}
}

func TestRecordsACluster(t *testing.T) {
	a := &api{methods: map[string]bool{}}
	server := httptest.NewServer(a)
	defer server.Close()
	for name, ends := range map[string]func(*Options) context.Context{
		"after a time":           func(*Options) context.Context { return t.Context() },
		"when it is interrupted": func(o *Options) context.Context { return interruptedOnceBegun(t, o) },
	} {
		t.Run(name, func(t *testing.T) {
			out := &file{}
			o := options(server.URL, out)
			var skipped []schema.GroupVersionResource
			o.Began = func(s []schema.GroupVersionResource) { skipped = s }
			ctx := ends(&o)
			if _, err := Run(ctx, o); err != nil {
				t.Fatal(err)
			}
			h, err := history.Read(bytes.NewReader(out.Bytes()), "x")
			if err != nil {
				t.Fatal(err)
			}
			if h.Header.Cluster != "the-cluster" || h.Header.Storage != history.UnknownStorage || h.Header.Name != "recorded" ||
				h.Header.Versions[plan.APIServer] != "v1.37.2" || h.Header.MusterInfo[plan.InfoOrigin] != plan.InfoRecord {
				t.Errorf("header %+v", h.Header)
			}
			if v := history.NewView(h, nil, history.Scope{}); len(v.Gaps) > 0 || len(v.Nodes) != 1 {
				t.Errorf("%d nodes, gaps %v", len(v.Nodes), v.Gaps)
			}
			if !out.closed {
				t.Error("the file is left open")
			}
			if name == "after a time" && len(skipped) == 0 {
				t.Error("nobody is told that groups are not served")
			}
		})
	}
	if len(a.methods) != 1 || !a.methods[http.MethodGet] {
		t.Errorf("the cluster was asked to %v", a.methods)
	}
}

// interruptedOnceBegun is a context that ends when everything has been listed.
func interruptedOnceBegun(t *testing.T, o *Options) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	o.For = 0
	o.Began = func([]schema.GroupVersionResource) { cancel() }
	return ctx
}

func TestSaysWhichRightIsMissing(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, `{"apiVersion":"v1","kind":"Status","status":"Failure","reason":"Forbidden","code":403,"message":"no"}`)
	}))
	defer server.Close()
	out := &file{}
	_, err := Run(t.Context(), options(server.URL, out))
	if err == nil || !strings.Contains(err.Error(), "hack/rbac/record.yaml") || !out.closed {
		t.Errorf("%v; closed: %t", err, out.closed)
	}
}
