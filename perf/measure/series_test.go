package measure

import (
	"math"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"muster/suites/history"
	"muster/suites/history/historytest"
)

// readings are scrapes of one counter, a second apart.
func readings(t interface {
	Helper()
	Fatal(...any)
}, values ...float64) *Tape {
	var extras []extra
	for i, v := range values {
		m := map[string]float64{"up": 1}
		if v >= 0 {
			m[`c{x="y"}`] = v
		}
		extras = append(extras, scraped(time.Duration(i+1)*time.Second, history.ProcessScheduler, m))
	}
	return tapeOf(t, historytest.New().Wait(time.Hour), extras...)
}

func TestCounters(t *testing.T) {
	tests := []struct {
		name   string
		values []float64 // negative: not there
		want   float64
	}{
		{"one reading", []float64{9}, 0},
		{"the last minus the first", []float64{100, 110, 150}, 50},
		{"a restart begins at zero", []float64{100, 110, 5, 8}, 18},
		{"appears later: began at zero", []float64{-1, 7, 9}, 9},
		{"disappears", []float64{3, 9, -1}, 6},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			cs := counters(readings(t, tc.values...).Samples[history.ProcessScheduler], "c")
			if len(cs) != 1 || cs[0].Growth != tc.want || cs[0].Labels["x"] != "y" {
				t.Errorf("%+v; want %v", cs, tc.want)
			}
		})
	}
}

// Counters that grow quadratically: somebody adds up what a counter said at every reading. Reading it more often must
// not change what it grew.
func TestReadingMoreOftenChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		steps := rapid.SliceOfN(rapid.Float64Range(0, 100), 2, 20).Draw(t, "steps")
		values := []float64{1000}
		for _, s := range steps {
			values = append(values, values[len(values)-1]+float64(int(s)))
		}
		few := counters(readings(t, values[0], values[len(values)-1]).Samples[history.ProcessScheduler], "c")
		many := counters(readings(t, values...).Samples[history.ProcessScheduler], "c")
		if few[0].Growth != many[0].Growth {
			t.Fatalf("two readings: %v, %d readings: %v", few[0].Growth, len(values), many[0].Growth)
		}
	})
}

func TestAPICalls(t *testing.T) {
	key := func(method, code string) string {
		return `rest_client_requests_total{code="` + code + `",host="h",method="` + method + `"}`
	}
	tape := tapeOf(t, historytest.New().Wait(time.Hour),
		scraped(ms(10), history.ProcessScheduler, map[string]float64{key("GET", "200"): 50, key("POST", "201"): 100}),
		scraped(ms(20), history.ProcessScheduler, map[string]float64{key("GET", "200"): 54, key("POST", "201"): 108, key("POST", "409"): 2, key("PATCH", "200"): 4}))
	samples := tape.Samples[history.ProcessScheduler]
	got := apiCalls(samples, 4)
	if got == nil || got.Total != 18 || got.PerPod != 4.5 || got.ByMethod["POST"] != 10 || got.PerPodByMethod["PATCH"] != 1 || got.PerPodByMethod["GET"] != 1 {
		t.Errorf("%+v", got)
	}
	if got := apiCalls(samples, 0); got == nil || got.Total != 18 || got.PerPod != 0 {
		t.Errorf("nothing bound: %+v", got)
	}
	if apiCalls(samples[:1], 4) != nil || apiCalls(nil, 4) != nil {
		t.Error("one scrape, yet there are calls")
	}
}

func TestHistograms(t *testing.T) {
	const name = "scheduler_scheduling_attempt_duration_seconds"
	scrape := func(at time.Duration, le1, le2, inf, sum float64) extra {
		m := map[string]float64{"other_seconds_sum": 5}
		for le, v := range map[string]float64{"1": le1, "2": le2, "+Inf": inf} {
			m[name+`_bucket{result="scheduled",le=`+strconv.Quote(le)+`}`] = v
		}
		m[name+`_sum{result="scheduled"}`], m[name+`_count{result="scheduled"}`] = sum, inf
		return scraped(at, history.ProcessScheduler, m)
	}
	// During the run: 20 up to 1 s, 20 up to 2 s.
	tape := tapeOf(t, historytest.New().Wait(time.Hour), scrape(ms(10), 100, 100, 100, 50), scrape(ms(20), 120, 140, 140, 90))
	got := histograms(tape.Samples[history.ProcessScheduler])
	if len(got) != 1 || got[0].Count != 40 || got[0].Mean != time.Second || got[0].Labels["result"] != "scheduled" || len(got[0].Labels) != 1 {
		t.Fatalf("%+v", got)
	}
	if m := got[0].Median; m == nil || *m != time.Second || got[0].P99 != nil {
		t.Errorf("median %v, p99 %v of 40", m, got[0].P99)
	}
	if histograms(tape.Samples[history.ProcessScheduler][:1]) != nil {
		t.Error("one scrape, yet a histogram")
	}
}

func TestQuantile(t *testing.T) {
	buckets := []bucket{{4, 600}, {1, 100}, {2, 500}}
	for _, tc := range []struct {
		q    float64
		want time.Duration
	}{{0.5, 1500 * time.Millisecond}, {0.1, 600 * time.Millisecond}, {0.99, 3880 * time.Millisecond}} {
		if got := quantile(buckets, 600, tc.q); got == nil || (*got-tc.want).Abs() > time.Microsecond {
			t.Errorf("q%v = %v; want %v", tc.q, got, tc.want)
		}
	}
	if got := quantile(append(buckets, bucket{math.Inf(1), 1000}), 1000, 0.99); got != nil {
		t.Errorf("in the open bucket: %v", got)
	}
	if got := quantile(buckets, 12, 0.99); got != nil {
		t.Errorf("a percentile of a dozen: %v", got)
	}
}

func TestAttempts(t *testing.T) {
	story := func() *historytest.Builder {
		return historytest.New().Nodes(1).Gang("g", 2).Pods("g", 3).Pod("plain", "").
			Reject("g-0", "g-1", "g-2").Wait(2*time.Second).Reject("g-0", "g-1").Reject("plain").
			BindAll("node-0", "g-0", "g-1", "g-2", "plain")
	}
	// The gang: rejected twice, bound once; the plain pod: rejected once, bound once.
	if got := attempts(tapeOf(t, story()), history.ProcessScheduler); got.Pods != 4 || got.Attempts != 5 || got.PerAttempt != 0.8 || got.Rejected != 6 || got.Source != "history" {
		t.Errorf("%+v", got)
	}
	metrics := func(at time.Duration, pods, groups float64) extra {
		return scraped(at, history.ProcessScheduler, map[string]float64{podAttempts + `{result="scheduled"}`: pods, groupAttempts + `{result="scheduled"}`: groups})
	}
	tape := tapeOf(t, story(), metrics(ms(3), 10, 0), metrics(ms(9000), 20, 6))
	if got := attempts(tape, history.ProcessScheduler); got.Attempts != 8 || got.Source != "metrics" || got.PerAttempt != 0.5 {
		t.Errorf("six at the group and two at the plain pod: %+v", got)
	}
	plain := historytest.New().Nodes(1).Pod("a", "").Pod("b", "").BindAll("node-0", "a", "b")
	tape = tapeOf(t, plain, metrics(ms(3), 10, 0), metrics(ms(5), 14, 0))
	if got := attempts(tape, history.ProcessScheduler); got.Attempts != 4 || got.PerAttempt != 0.5 {
		t.Errorf("without groups: %+v", got)
	}
	if got := attempts(tapeOf(t, historytest.New()), history.ProcessScheduler); got.PerAttempt != 0 {
		t.Errorf("no attempts: %+v", got)
	}
}
