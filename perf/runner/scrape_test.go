package runner

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"muster/perf/measure"
	"muster/suites/history"
)

const exposition = `# HELP rest_client_requests_total Number of requests
# TYPE rest_client_requests_total counter
rest_client_requests_total{code="201",host="127.0.0.1:1",method="POST"} 17
rest_client_requests_total{code="200",host="a } b",method="GET"} 3 1700000000000
go_goroutines 12
scheduler_schedule_attempts_total{profile="p",result="scheduled"} 1e+03
scheduler_scheduling_attempt_duration_seconds_bucket{le="+Inf"} 4
apiserver_request_duration_seconds_sum{verb="POST"} 2.5
apiserver_request_duration_seconds_bucket{verb="POST",le="0.1"} 9
`

func TestParseMetrics(t *testing.T) {
	for _, tc := range []struct {
		process string
		want    map[string]float64
	}{
		{history.ProcessScheduler, map[string]float64{
			`rest_client_requests_total{code="201",host="127.0.0.1:1",method="POST"}`: 17,
			`rest_client_requests_total{code="200",host="a } b",method="GET"}`:        3,
			`scheduler_schedule_attempts_total{profile="p",result="scheduled"}`:       1000,
			`scheduler_scheduling_attempt_duration_seconds_bucket{le="+Inf"}`:         4,
		}},
		{measure.ProcessAPIServer, map[string]float64{`apiserver_request_duration_seconds_sum{verb="POST"}`: 2.5}},
	} {
		got, err := parseMetrics(tc.process, strings.NewReader(exposition))
		if err != nil || !maps.Equal(got, tc.want) {
			t.Errorf("%s: %v, %v; want %v", tc.process, got, err, tc.want)
		}
		for key := range got {
			if _, err := measure.ParseSeries(key); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestParseMetricsSaysWhatIsWrong(t *testing.T) {
	for _, line := range []string{`rest_client_requests_total{a="b"}`, `rest_client_requests_total lots`} {
		if _, err := parseMetrics(history.ProcessScheduler, strings.NewReader(line)); err == nil || !strings.Contains(err.Error(), "rest_client") {
			t.Errorf("%q: %v", line, err)
		}
	}
}

func TestScrape(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" {
			http.Error(w, "who are you", http.StatusUnauthorized)
			return
		}
		_, _ = w.Write([]byte(exposition))
	}))
	defer s.Close()
	good, bad := newScraper("secret"), newScraper("wrong")
	defer good.close()
	defer bad.close()
	if m, err := good.scrape(t.Context(), measure.ProcessAPIServer, s.URL); err != nil || len(m) != 1 {
		t.Errorf("%v, %v", m, err)
	}
	if _, err := bad.scrape(t.Context(), measure.ProcessAPIServer, s.URL); err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("%v", err)
	}
}
