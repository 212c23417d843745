package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// UnknownName is a name the user gave that does not exist.
type UnknownName struct {
	// Kind of thing: profile, requirement, scenario, scheduler, gate.
	Kind string
	Name string
	// Nearest are the valid names closest to it, best first.
	Nearest []string
}

// Error says what was given and what may have been meant.
func (e *UnknownName) Error() string {
	if len(e.Nearest) == 0 {
		return fmt.Sprintf("unknown %s %q", e.Kind, e.Name)
	}
	return fmt.Sprintf("unknown %s %q; nearest: %s", e.Kind, e.Name, strings.Join(e.Nearest, ", "))
}

// Check returns an UnknownName when name is not one of the valid names.
func Check(kind, name string, valid []string) error {
	if slices.Contains(valid, name) {
		return nil
	}
	return &UnknownName{Kind: kind, Name: name, Nearest: Nearest(name, valid, 3)}
}

// Nearest returns up to n of the valid names, those closest to name first: by edit distance without regard to case,
// where a name that contains the given one, or is contained in it, comes before any other.
func Nearest(name string, valid []string, n int) []string {
	type scored struct {
		name  string
		score int
	}
	low := strings.ToLower(name)
	all := make([]scored, 0, len(valid))
	for _, v := range valid {
		lv := strings.ToLower(v)
		score := distance(low, lv)
		if low != "" && (strings.Contains(lv, low) || strings.Contains(low, lv)) {
			score = min(score, 1)
		}
		all = append(all, scored{v, score})
	}
	slices.SortFunc(all, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.score, b.score), strings.Compare(a.name, b.name))
	})
	out := make([]string, 0, n)
	for _, s := range all[:min(n, len(all))] {
		out = append(out, s.name)
	}
	return out
}

// distance is the Levenshtein distance between two strings, in runes.
func distance(a, b string) int {
	ra, rb := []rune(a), []rune(b)
	row := make([]int, len(rb)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range ra {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range rb {
			cost := diagonal
			if x != y {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(rb)]
}
