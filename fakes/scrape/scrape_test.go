package scrape

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

const exposition = `# HELP rest_client_requests_total Number of requests
# TYPE rest_client_requests_total counter
rest_client_requests_total{code="201",host="127.0.0.1:1",method="POST"} 17
rest_client_requests_total{code="200",host="a } b",method="GET"} 3 1700000000000
go_goroutines 12
scheduler_pending_pods{queue="active"} 1e+03
scheduler_pending_pods{queue="gated"} NaN
scheduler_pending_pods{queue="backoff"} +Inf
`

func named(names ...string) func(string) bool {
	return func(name string) bool {
		for _, n := range names {
			if n == name {
				return true
			}
		}
		return false
	}
}

func TestParse(t *testing.T) {
	for _, tc := range []struct {
		names []string
		want  map[string]float64
	}{
		{[]string{"rest_client_requests_total"}, map[string]float64{
			`rest_client_requests_total{code="201",host="127.0.0.1:1",method="POST"}`: 17,
			`rest_client_requests_total{code="200",host="a } b",method="GET"}`:        3,
		}},
		{[]string{"scheduler_pending_pods", "go_goroutines"}, map[string]float64{`scheduler_pending_pods{queue="active"}`: 1000, "go_goroutines": 12}},
		{nil, map[string]float64{}},
	} {
		if got, err := parse("scheduler", strings.NewReader(exposition), named(tc.names...)); err != nil || !maps.Equal(got, tc.want) {
			t.Errorf("%q: %v, %v; want %v", tc.names, got, err, tc.want)
		}
	}
}

func TestParseSaysWhatIsWrong(t *testing.T) {
	for _, line := range []string{`lots{a="b"}`, "lots of it"} {
		if _, err := parse("scheduler", strings.NewReader(line), named("lots")); err == nil || !strings.Contains(err.Error(), "lots") {
			t.Errorf("%q: %v", line, err)
		}
	}
	if got, err := parse("scheduler", strings.NewReader("lots of it"), named("few")); err != nil || len(got) != 0 {
		t.Errorf("what nobody wants is read: %v, %v", got, err)
	}
}

func TestRead(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" {
			http.Error(w, "who are you", http.StatusUnauthorized)
			return
		}
		_, _ = w.Write([]byte(exposition))
	}))
	defer s.Close()
	good, bad, none := New("secret"), New("wrong"), New("")
	for _, c := range []*Client{good, bad, none} {
		defer c.Close()
	}
	if m, err := good.Read(t.Context(), "scheduler", s.URL, named("go_goroutines")); err != nil || len(m) != 1 {
		t.Errorf("%v, %v", m, err)
	}
	for _, c := range []*Client{bad, none} {
		if _, err := c.Read(t.Context(), "scheduler", s.URL, named()); err == nil || !strings.Contains(err.Error(), "401") {
			t.Errorf("%v", err)
		}
	}
	if _, err := good.Read(t.Context(), "scheduler", "http://127.0.0.1:1/metrics", named()); err == nil || !strings.Contains(err.Error(), "scheduler") {
		t.Errorf("nobody there: %v", err)
	}
}

// An administrator's token stays on this machine.
func TestHere(t *testing.T) {
	for endpoint, want := range map[string]bool{
		"http://127.0.0.1:10251/metrics": true, "https://[::1]:10259/metrics": true, "https://localhost/metrics": true,
		"http://10.0.0.1/metrics": false, "https://scheduler.example/metrics": false, "https://127.0.0.1.example/metrics": false, "https://127.0.0.1@far.example/": false,
	} {
		u, err := url.Parse(endpoint)
		if err != nil {
			t.Fatal(err)
		}
		if here(u) != want {
			t.Errorf("%s: %t", endpoint, !want)
		}
	}
}
