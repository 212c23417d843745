package suites

import (
	"fmt"
	"slices"
	"strings"
)

// registry is the one piece of package-level state: scenarios register themselves in init.
var registry = map[string]Scenario{}

// Register adds a scenario. It panics on a duplicate name or a missing part, since that is a mistake in the source
// and init has nobody to return an error to.
func Register(s Scenario) {
	switch {
	case s.Name == "" || s.Profile == "" || s.Summary == "":
		panic(fmt.Sprintf("suites: scenario %q lacks a name, profile or summary", s.Name))
	case s.Drive == nil || s.Judge == nil:
		panic(fmt.Sprintf("suites: scenario %s lacks Drive or Judge", s.Name))
	case len(s.Requirements) == 0:
		panic(fmt.Sprintf("suites: scenario %s names no requirement", s.Name))
	}
	if _, dup := registry[s.Name]; dup {
		panic(fmt.Sprintf("suites: scenario %s is registered twice", s.Name))
	}
	registry[s.Name] = s
}

// Scenarios returns every registered scenario, sorted by name.
func Scenarios() []Scenario {
	out := make([]Scenario, 0, len(registry))
	for _, s := range registry {
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b Scenario) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// ScenarioByName finds a registered scenario.
func ScenarioByName(name string) (Scenario, bool) {
	s, ok := registry[name]
	return s, ok
}
