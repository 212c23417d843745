package register

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"

	"muster/fakes/nodes"
)

// server answers node creations; refuse says whether one is refused.
func server(t *testing.T, refuse func(name string) bool) (*rest.Config, *sync.Map) {
	t.Helper()
	var got sync.Map
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Header.Get("Content-Type") != runtime.ContentTypeProtobuf {
			http.Error(w, "want protobuf", http.StatusUnsupportedMediaType)
			return
		}
		obj, _, err := scheme.Codecs.UniversalDeserializer().Decode(body, nil, nil)
		node, ok := obj.(*corev1.Node)
		if err != nil || !ok {
			http.Error(w, "want a node", http.StatusBadRequest)
			return
		}
		if refuse != nil && refuse(node.Name) {
			http.Error(w, "refused", http.StatusForbidden)
			return
		}
		got.Store(node.Name, node)
		w.Header().Set("Content-Type", runtime.ContentTypeProtobuf)
		w.WriteHeader(http.StatusCreated)
		_, _ = w.Write(body)
	}))
	t.Cleanup(s.Close)
	return &rest.Config{Host: s.URL}, &got
}

func count(m *sync.Map) (n int) {
	m.Range(func(_, _ any) bool { n++; return true })
	return n
}

func TestPoolsCreatesEveryNode(t *testing.T) {
	cfg, got := server(t, nil)
	last := 0
	err := Pools(t.Context(), cfg, 8, func(done, total int) {
		if done != last+1 || total != 120 {
			t.Errorf("progress %d of %d after %d", done, total, last)
		}
		last = done
	}, nodes.Pool{Name: "a", Count: 100}, nodes.Pool{Name: "none"}, nodes.Pool{Name: "b", Count: 20})
	if err != nil || count(got) != 120 || last != 120 {
		t.Fatalf("created %d, progress %d, error %v", count(got), last, err)
	}
	v, _ := got.Load("b-19")
	if c := v.(*corev1.Node).Status.Conditions[0]; c.LastHeartbeatTime.IsZero() || c.LastTransitionTime.IsZero() {
		t.Errorf("condition without its times: %+v", c)
	}
}

func TestPoolsStopsAtTheFirstError(t *testing.T) {
	cfg, got := server(t, func(name string) bool { return name == "a-5" })
	err := Pools(t.Context(), cfg, 1, nil, nodes.Pool{Name: "a", Count: 1000})
	if err == nil || !strings.Contains(err.Error(), "creating node a-5") || !strings.Contains(err.Error(), "5 of 1000 exist") {
		t.Errorf("error %v", err)
	}
	if n := count(got); n != 5 {
		t.Errorf("%d nodes were created; want the 5 before the error", n)
	}
}

func TestPoolsCreatesNothingForAnInvalidPool(t *testing.T) {
	cfg, got := server(t, nil)
	if err := Pools(t.Context(), cfg, 1, nil, nodes.Pool{Name: "a", Count: 5}, nodes.Pool{Name: "B"}); err == nil || count(got) != 0 {
		t.Errorf("error %v, %d nodes", err, count(got))
	}
}

func TestPoolsEndsWithItsContext(t *testing.T) {
	cfg, _ := server(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	err := Pools(ctx, cfg, 1, func(done, _ int) {
		if done == 3 {
			cancel()
		}
	}, nodes.Pool{Name: "a", Count: 1000})
	if err == nil || !strings.Contains(err.Error(), "of 1000 exist") || !strings.Contains(err.Error(), "canceled") {
		t.Errorf("error %v", err)
	}
}
