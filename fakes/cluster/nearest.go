package cluster

import (
	"cmp"
	"slices"
	"strings"
)

// Nearest are the n names most like the one given, most alike first: by the number of letters to add, drop or change,
// whatever their case. A name that contains the given one, or is contained in it, comes before others; so does one that
// begins with something like it, since of a long name people write the beginning.
func Nearest(name string, names []string, n int) []string {
	type scored struct {
		name        string
		score, full int
	}
	low := strings.ToLower(name)
	all := make([]scored, 0, len(names))
	for _, candidate := range names {
		c := strings.ToLower(candidate)
		full, begun := distances(low, c)
		s := min(full, begun+1)
		if low != "" && (strings.Contains(c, low) || strings.Contains(low, c)) {
			s = min(s, 1)
		}
		all = append(all, scored{candidate, s, full})
	}
	slices.SortFunc(all, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.full, b.full), strings.Compare(a.name, b.name))
	})
	out := make([]string, 0, n)
	for _, s := range all[:min(n, len(all))] {
		out = append(out, s.name)
	}
	return out
}

// Distance is the number of letters to add, drop or change (Levenshtein's), over bytes: the names here are ASCII.
func Distance(a, b string) int {
	full, _ := distances(a, b)
	return full
}

// distances are Distance, and the smallest one from a to anything that b begins with.
func distances(a, b string) (full, begun int) {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)], slices.Min(row)
}
