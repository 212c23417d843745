package measure

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"muster/suites/history"
)

// Series is one line of scraped metrics: a name and its labels.
type Series struct {
	Name   string
	Labels map[string]string
}

// ParseSeries reads a key of history.Sample.Metrics, which is written as Prometheus writes it: name{label="value",…}.
func ParseSeries(key string) (Series, error) {
	name, rest, labelled := strings.Cut(key, "{")
	s := Series{Name: strings.TrimSpace(name)}
	if s.Name == "" {
		return s, fmt.Errorf("reading the series %q: it has no name", key)
	}
	if !labelled {
		return s, nil
	}
	s.Labels = map[string]string{}
	rest = strings.TrimSpace(rest)
	for rest != "}" {
		label, after, ok := strings.Cut(rest, "=")
		quoted, err := strconv.QuotedPrefix(strings.TrimSpace(after))
		if !ok || err != nil {
			return s, fmt.Errorf(`reading the series %q: %q is not label="value"`, key, rest)
		}
		value, err := strconv.Unquote(quoted)
		if err != nil {
			return s, fmt.Errorf("reading the series %q: %w", key, err)
		}
		s.Labels[strings.TrimSpace(label)] = value
		rest = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(after), quoted))
		if rest != "}" {
			if rest, ok = strings.CutPrefix(rest, ","); !ok {
				return s, fmt.Errorf("reading the series %q: %q where a comma or the end was expected", key, rest)
			}
			rest = strings.TrimSpace(rest)
		}
	}
	return s, nil
}

// Counted is a series with how much it grew during the run.
type Counted struct {
	Series
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
		s, err := ParseSeries(key)
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

func sumOf(cs []Counted, want func(Series) bool) (sum float64) {
	for _, c := range cs {
		if want == nil || want(c.Series) {
			sum += c.Growth
		}
	}
	return sum
}
