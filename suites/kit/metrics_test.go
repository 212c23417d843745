package kit

import (
	"maps"
	"strings"
	"testing"

	"muster/suites"
	"muster/suites/history/historytest"
)

func TestMetricsBetweenReadings(t *testing.T) {
	v := historytest.New().
		Metrics("a", map[string]float64{`n_total{r="x",p="1"}`: 1, `n_total{r="y"}`: 2, `g{q="in"}`: 5, "h_count": 1, "h_sum": 0.5, "odd{": 1}).
		Metrics("b", map[string]float64{`n_total{r="x",p="1"}`: 3, `n_total{r="x",p="2"}`: 4, `n_total{r="y"}`: 2, `g{q="in"}`: 2, "h_count": 3, "h_sum": 2, "odd{": 2}).View()
	c := For(v, "A-001")
	m := c.Readings("a", "b")
	for _, tt := range []struct {
		metric, label, say string
		want               Amounts
	}{
		{"n_total", "r", "6 x", Amounts{"x": 6}},
		{"n_total", "p", "2 1, 4 2", Amounts{"1": 2, "2": 4}},
		{"n_total", "", "6", Amounts{"": 6}},
		{"g", "q", "-3 in", Amounts{"in": -3}},
		{"h", "", "2", Amounts{"": 2}},
		{"n", "r", "no such series", Amounts{}},
	} {
		if got, _ := m.Grown("a", "b", tt.metric, tt.label); !maps.Equal(got, tt.want) {
			t.Errorf("%s by %q: %v, want %v", tt.metric, tt.label, got, tt.want)
		}
		if got := m.Say("a", "b", tt.metric, tt.label); got != tt.say {
			t.Errorf("%s by %q: %q, want %q", tt.metric, tt.label, got, tt.say)
		}
	}
	if got := m.Sum("a", "b", "h"); got != 1.5 {
		t.Errorf("sum %g", got)
	}
	if got := m.Say("a", "a", "n_total", "r"); got != "none" {
		t.Errorf("between a reading and itself: %q", got)
	}
	if f := c.Saw("x", "y"); f.Verdict != suites.Observed || !m.At["a"].Before(m.At["b"]) {
		t.Errorf("%+v", f)
	}
}

// A reading that is missing, and a process that began anew, decide nothing.
func TestReadingsThatDoNotHold(t *testing.T) {
	for want, b := range map[string]*historytest.Builder{
		`"b"`:   historytest.New().Metrics("a", map[string]float64{"n_total": 1}),
		"h":     historytest.New().Metrics("a", map[string]float64{"h_count": 2, "g": 5}).Metrics("b", map[string]float64{"h_count": 1, "g": 1}),
		"n_tot": historytest.New().Metrics("a", map[string]float64{"n_total": 2}).Metrics("b", map[string]float64{}),
	} {
		c := For(b.View(), "A-001")
		c.Readings("a", "b")
		if f := c.Saw("x", "y"); f.Verdict != suites.Inconclusive || !strings.Contains(f.Message, want) || strings.Contains(f.Message, "g did") {
			t.Errorf("%s: %+v", want, f)
		}
	}
}
