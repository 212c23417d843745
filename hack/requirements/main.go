// Command requirements checks the catalogue, by its own rules and against the scenarios, and writes docs/requirements.md
// to stdout:
//
//	go run ./hack/requirements > docs/requirements.md
//
// It writes nothing where something is wrong, and names all of it: a requirement that no scenario exercises, a scenario
// that names a requirement nobody knows, a MUST without its sentence.
package main

import (
	"errors"
	"fmt"
	"os"

	"muster/suites"
	"muster/suites/requirements"
	_ "muster/suites/run/all" // registers every scenario
)

func main() {
	text, err := document(suites.Scenarios())
	if err != nil {
		fmt.Fprintln(os.Stderr, "requirements:", err)
		os.Exit(1)
	}
	fmt.Print(text)
}

// document is docs/requirements.md, for a catalogue that these scenarios put to the test.
func document(scenarios []suites.Scenario) (string, error) {
	reqs, err := requirements.All()
	if err != nil {
		return "", err
	}
	if err := errors.Join(requirements.Verify(reqs, scenarios)...); err != nil {
		return "", err
	}
	return requirements.Markdown(reqs), nil
}
