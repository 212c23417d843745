package write

import "strings"

// bars of a sparkline, lowest first.
var bars = []rune("▁▂▃▄▅▆▇█")

// sparkline draws a series in at most width characters: each the mean of its share of the series, on a scale from zero to
// the highest. A second without anything is a gap, so that it cannot be taken for a low one.
func sparkline(series []int, width int) string {
	if len(series) == 0 || width < 1 {
		return ""
	}
	n := min(width, len(series))
	means, highest := make([]float64, n), 0.0
	for i := range n {
		from, to := i*len(series)/n, (i+1)*len(series)/n
		for _, v := range series[from:to] {
			means[i] += float64(v) / float64(to-from)
		}
		highest = max(highest, means[i])
	}
	var b strings.Builder
	for _, m := range means {
		if m <= 0 {
			b.WriteByte(' ')
			continue
		}
		b.WriteRune(bars[min(int(m/highest*float64(len(bars))), len(bars)-1)])
	}
	return b.String()
}
