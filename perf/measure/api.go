package measure

import (
	"time"

	"muster/suites/history"
)

// Process names that are not the scheduler's (history.ProcessScheduler).
const (
	// ProcessAPIServer is the control plane's API server.
	ProcessAPIServer = "kube-apiserver"
	// ProcessMuster is muster itself: creator and observer together.
	ProcessMuster = "muster"
)

// Metric names as client-go and the API server have them.
const (
	clientRequests  = "rest_client_requests_total"
	clientThrottle  = "rest_client_rate_limiter_duration_seconds_sum"
	clientLatency   = "rest_client_request_duration_seconds_sum"
	clientLatencyN  = "rest_client_request_duration_seconds_count"
	serverLatency   = "apiserver_request_duration_seconds_sum"
	serverLatencyN  = "apiserver_request_duration_seconds_count"
	serverAdmission = "apiserver_admission_webhook_admission_duration_seconds_count"
)

// APICalls is what the scheduler asked of the API server, from its own client's counters.
type APICalls struct {
	// Total requests during the run, and by HTTP method (GET, POST, PATCH, …).
	Total    float64            `json:"total"`
	ByMethod map[string]float64 `json:"byMethod,omitempty"`
	// PerPod and PerPodByMethod divide them by the pods the scheduler bound; a bind is one POST.
	PerPod         float64            `json:"perPod"`
	PerPodByMethod map[string]float64 `json:"perPodByMethod,omitempty"`
}

// apiCalls is nil where the scheduler's metrics were not scraped at least twice or do not have the counter.
func apiCalls(samples []history.At[history.Sample], bound int) *APICalls {
	if scrapes(samples) < 2 {
		return nil
	}
	cs := counters(samples, clientRequests)
	if len(cs) == 0 {
		return nil
	}
	out := &APICalls{ByMethod: map[string]float64{}, PerPodByMethod: map[string]float64{}}
	for _, c := range cs {
		out.ByMethod[c.Labels["method"]] += c.Growth
		out.Total += c.Growth
	}
	if bound == 0 {
		return out
	}
	out.PerPod = out.Total / float64(bound)
	for m, n := range out.ByMethod {
		out.PerPodByMethod[m] = n / float64(bound)
	}
	return out
}

// meanOf is the mean of what a pair of _sum and _count counters saw during the run; ok is false where they are not
// there or counted nothing.
func meanOf(samples []history.At[history.Sample], sum, count string, want func(history.Series) bool) (mean time.Duration, ok bool) {
	if scrapes(samples) < 2 {
		return 0, false
	}
	n := sumOf(counters(samples, count), want)
	if n <= 0 {
		return 0, false
	}
	return time.Duration(sumOf(counters(samples, sum), want) / n * float64(time.Second)), true
}

// notWatching leaves out requests that last as long as somebody listens.
func notWatching(s history.Series) bool {
	switch s.Labels["verb"] {
	case "WATCH", "WATCHLIST", "CONNECT":
		return false
	}
	return true
}
