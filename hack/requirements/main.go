// Command requirements checks the catalogue, by its own rules and against the scenarios, and writes docs/requirements.md
// to stdout:
//
//	go run ./hack/requirements > docs/requirements.md
//
// It writes nothing where something is wrong, and names all of it: a requirement that no scenario exercises, an invariant
// without its check, a scenario or check that names a requirement nobody knows, a MUST without its sentence.
package main

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"muster/suites"
	"muster/suites/check"
	"muster/suites/requirements"
	_ "muster/suites/run/all" // registers every scenario
)

func main() {
	text, err := document(suites.Scenarios(), check.All())
	if err != nil {
		fmt.Fprintln(os.Stderr, "requirements:", err)
		os.Exit(1)
	}
	fmt.Print(text)
}

// document is docs/requirements.md, for a catalogue that these scenarios and checks put to the test.
func document(scenarios []suites.Scenario, checks []check.Check) (string, error) {
	reqs, err := requirements.All()
	if err != nil {
		return "", err
	}
	if err := errors.Join(append(requirements.Verify(reqs, scenarios), unmatched(reqs, checks)...)...); err != nil {
		return "", err
	}
	return requirements.Markdown(reqs), nil
}

// unmatched names the invariants that no check judges, and the checks of requirements that are not in the catalogue: no
// scenario names an invariant, so that nothing else would miss them.
func unmatched(reqs []suites.Requirement, checks []check.Check) (errs []error) {
	for _, r := range reqs {
		if r.Invariant() && !slices.ContainsFunc(checks, func(c check.Check) bool { return c.ID == r.ID }) {
			errs = append(errs, fmt.Errorf("%s (%s): no check judges it", r.ID, r.Title))
		}
	}
	for _, c := range checks {
		if !slices.ContainsFunc(reqs, func(r suites.Requirement) bool { return r.ID == c.ID }) {
			errs = append(errs, fmt.Errorf("check %s: requirement %s is not in the catalogue", c.Name, c.ID))
		}
	}
	return errs
}
