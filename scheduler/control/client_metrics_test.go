package control

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// TestMetricsCountRequests: beside the scheduler's own metrics stand those of its client, with which perf says how many
// calls a pod costs; and every name stands there once.
func TestMetricsCountRequests(t *testing.T) {
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintln(w, `{"kind":"NodeList","apiVersion":"v1","items":[]}`)
	}))
	defer api.Close()
	client, err := kubernetes.NewForConfig(&rest.Config{Host: api.URL})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	s, err := New(Options{Client: client})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRecorder()
	handler(s, NewMetrics(), func() bool { return false }, false).ServeHTTP(r, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	body, err := io.ReadAll(r.Result().Body)
	if err != nil || r.Code != http.StatusOK {
		t.Fatalf("%d, %v: %s", r.Code, err, body)
	}
	want := fmt.Sprintf(`rest_client_requests_total{code="200",host=%q,method="GET"} 3`, strings.TrimPrefix(api.URL, "http://"))
	for _, line := range []string{want, "go_goroutines ", "process_cpu_seconds_total ", "muster_scheduler_bind_failures_total "} {
		if n := strings.Count(string(body), "\n"+line); n != 1 {
			t.Errorf("%q is there %d times, want once", line, n)
		}
	}
	if strings.Contains(string(body), "kubernetes_feature_enabled") {
		t.Error("metrics of the process's registry are served that are not the client's")
	}
}
