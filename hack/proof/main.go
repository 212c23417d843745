// Command proof writes docs/proof.md from stored proofs (proof.yaml files that muster prove has left), by what the mutants
// declare today.
package main

import (
	"fmt"
	"os"

	"muster/scheduler/mutant"
	"muster/suites"
	"muster/suites/prove"
	"muster/suites/prove/rewrites"
	"muster/suites/requirements"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "proof: %v\n", err)
		os.Exit(1)
	}
}

func run(files []string) error {
	all, err := requirements.All()
	if err != nil {
		return fmt.Errorf("reading the catalogue: %w", err)
	}
	trials, err := prove.Read(files)
	if err != nil {
		return err
	}
	var subjects []prove.Subject
	for _, m := range mutant.All() {
		subjects = append(subjects, prove.Subject{Name: m.Name, About: m.About, Profiles: m.Profiles, Kills: m.Kills, May: m.May})
	}
	broken, _, err := rewrites.Subjects(suites.Scenarios())
	if err != nil {
		return err
	}
	return prove.Fold(append(subjects, broken...), trials, all).Markdown(os.Stdout)
}
