package history

import (
	"fmt"
	"strconv"
	"strings"
)

// Series is one line of scraped metrics: a name and its labels.
type Series struct {
	Name   string
	Labels map[string]string
}

// ParseSeries reads a key of Sample.Metrics or of View.Metrics, which is written as Prometheus writes it: name{label="value",…}.
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
