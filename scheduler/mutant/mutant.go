package mutant

import (
	"fmt"
	"slices"
	"strings"

	"muster/scheduler/control"
)

// Mutant is a scheduler with one fault.
type Mutant struct {
	// Name says what the fault is, in a few words joined by hyphens.
	Name string
	// About is the fault in one sentence.
	About string
	// Profiles are those it is judged on: it must pass most of them, or it proves nothing.
	Profiles []string
	// Kills are the requirements that are violated whenever it is judged on its profiles.
	Kills []string
	// May are requirements that the fault violates or not, as timing has it. They prove nothing.
	May []string
	// Scenarios it is judged on beside those that exercise what it declares: invariants are judged in all of them, and ask
	// for none.
	Scenarios []string

	fault func() *control.Fault
}

// Fault is the mutant's, with a memory of its own: one call for each scheduler that is started.
func (m Mutant) Fault() *control.Fault { return m.fault() }

// mutants is what the files of this package have added.
var mutants = map[string]Mutant{}

// add registers a mutant. A second one of a name would hide the first.
func add(m Mutant) {
	if _, twice := mutants[m.Name]; twice {
		panic("mutant: two mutants are named " + m.Name)
	}
	mutants[m.Name] = m
}

// slow are the mutants that are right and too slow: for the gate on performance, not for the suite, which they pass.
var slow = map[string]Mutant{}

// All are the mutants that break rules, by name.
func All() []Mutant { return byName(mutants) }

func byName(all map[string]Mutant) []Mutant {
	out := make([]Mutant, 0, len(all))
	for _, m := range all {
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b Mutant) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Slow are the mutants that break no rule and are too slow, by name; their Kills are empty. muster perf gate has to catch them.
// A scheduler slowed by some other percentage is found under its name all the same.
func Slow() []Mutant { return byName(slow) }

// ByName finds a mutant, also one for the gate. The error names those there are.
func ByName(name string) (Mutant, error) {
	if m, ok := mutants[name]; ok {
		return m, nil
	}
	if m, ok := slow[name]; ok {
		return m, nil
	}
	if m, ok := slowedBy(name); ok {
		return m, nil
	}
	var names []string
	for _, m := range slices.Concat(All(), Slow()) {
		names = append(names, m.Name)
	}
	return Mutant{}, fmt.Errorf("there is no mutant %q; there are %s", name, strings.Join(names, ", "))
}
