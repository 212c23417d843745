package plan

import (
	"fmt"
	"slices"
	"strings"

	"muster/fakes/cluster"
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
	return &UnknownName{Kind: kind, Name: name, Nearest: cluster.Nearest(name, valid, 3)}
}
