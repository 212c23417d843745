package evidence

import (
	"strings"
	"testing"
	"time"

	"muster/suites/history"
	"muster/suites/history/historytest"
)

func TestLogOfKeepsTheTimeOfTheScenario(t *testing.T) {
	h := historytest.New().Nodes(1).Gang("g", 2).Wait(10 * time.Second).History()
	slice := h.Slice(h.Scopes()[0])
	from, to := window(slice)
	if from.IsZero() || to.Before(from) {
		t.Fatalf("window %s to %s", from, to)
	}
	for name, form := range map[string]func(time.Time) string{
		"klog":     func(t time.Time) string { return "I" + t.Local().Format("0102 15:04:05.000000") + "    5381 x.go:1] " },
		"RFC 3339": func(t time.Time) string { return t.Format(time.RFC3339Nano) + " " },
		"slog":     func(t time.Time) string { return "time=" + t.Format(time.RFC3339Nano) + " level=INFO " },
	} {
		log := []string{
			form(from.Add(-time.Minute)) + "before", form(from.Add(time.Millisecond)) + "within", "  goes on", form(to.Add(time.Minute)) + "after",
		}
		got := string(logOf(log, slice))
		if !strings.Contains(got, "within\n  goes on\n") || strings.Contains(got, "before") || strings.Contains(got, "after") {
			t.Errorf("%s:\n%s", name, got)
		}
	}
	for _, tt := range []struct {
		log   []string
		slice *history.History
		want  string
	}{
		{[]string{"panic: nil map"}, slice, "carry no time"},
		{[]string{from.Add(-time.Hour).Format(time.RFC3339) + " early"}, slice, "none of it is from the scenario's time"},
		{[]string{"x"}, &history.History{}, "of the whole run\nx\n"},
	} {
		got := string(logOf(tt.log, tt.slice))
		if !strings.Contains(got, tt.want) || !strings.HasSuffix(got, tt.log[0]+"\n") {
			t.Errorf("want %q:\n%s", tt.want, got)
		}
	}
}
