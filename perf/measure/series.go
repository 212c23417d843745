package measure

import (
	"maps"
	"slices"
	"strings"

	"muster/suites/history"
)

// Counted is a series with how much it grew during the run.
type Counted struct {
	history.Series
	Growth float64
}

// counters are the growths of the series of one process whose name is one of names. A growth is the last reading minus
// the first, whatever was read between; after a restart, which begins again at zero, what was lost is not guessed: the
// readings of each life are taken by themselves. A series that appears later began at zero.
func counters(samples []history.At[history.Sample], names ...string) []Counted {
	type life struct{ grown, last float64 }
	lives := map[string]*life{}
	began := false
	for _, s := range samples {
		if len(s.Value.Metrics) == 0 {
			continue
		}
		for key, v := range s.Value.Metrics {
			name, _, _ := strings.Cut(key, "{")
			if !slices.Contains(names, strings.TrimSpace(name)) {
				continue
			}
			l := lives[key]
			switch {
			case l == nil && !began:
				lives[key] = &life{last: v}
			case l == nil:
				lives[key] = &life{grown: v, last: v}
			case v < l.last:
				l.grown, l.last = l.grown+v, v
			default:
				l.grown, l.last = l.grown+v-l.last, v
			}
		}
		began = true
	}
	var out []Counted
	for _, key := range slices.Sorted(maps.Keys(lives)) {
		s, err := history.ParseSeries(key)
		if err != nil {
			continue // nobody else's metrics may break a measurement; a scraper's own test sees to its keys
		}
		out = append(out, Counted{s, lives[key].grown})
	}
	return out
}

// scrapes is how many samples carry metrics. Growth needs two.
func scrapes(samples []history.At[history.Sample]) (n int) {
	for _, s := range samples {
		if len(s.Value.Metrics) > 0 {
			n++
		}
	}
	return n
}

func sumOf(cs []Counted, want func(history.Series) bool) (sum float64) {
	for _, c := range cs {
		if want == nil || want(c.Series) {
			sum += c.Growth
		}
	}
	return sum
}
