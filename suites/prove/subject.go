package prove

import (
	"fmt"
	"slices"

	"muster/suites"
)

// Subject is a mutant as data.
type Subject struct {
	Name  string `json:"name"`
	About string `json:"about"`
	// Profiles it is judged on.
	Profiles []string `json:"profiles"`
	// Kills are the requirements it declares to violate; May those it violates or not.
	Kills []string `json:"kills"`
	May   []string `json:"may,omitempty"`
	// ControlPlane: it is a control plane that is wrong, not a scheduler; the reference scheduler says nothing about it.
	ControlPlane bool `json:"controlPlane,omitempty"`
	// Scenarios it is judged on beside those that exercise what it declares.
	Scenarios []string `json:"scenarios,omitempty"`
}

// scenarios are the names of those that exercise what a subject declares. Invariants are judged in all of them, so that
// they ask for none.
func (s Subject) scenarios(all []suites.Scenario) []string {
	var out []string
	for _, sc := range all {
		if slices.Contains(s.Scenarios, sc.Name) ||
			slices.ContainsFunc(sc.Requirements, func(id string) bool { return slices.Contains(s.Kills, id) }) {
			out = append(out, sc.Name)
		}
	}
	return out
}

// Check refuses subjects that declare what there is not.
func Check(subjects []Subject, requirements []suites.Requirement, scenarios []suites.Scenario) error {
	level, profiles := map[string]suites.Level{}, map[string]bool{}
	for _, r := range requirements {
		level[r.ID] = r.Level
		profiles[r.Profile] = true
	}
	for _, s := range subjects {
		for _, id := range slices.Concat(s.Kills, s.May) {
			switch l, known := level[id]; {
			case !known:
				return fmt.Errorf("mutant %s declares %s, which is no requirement", s.Name, id)
			case l == suites.May:
				return fmt.Errorf("mutant %s declares %s, which is a MAY and cannot be violated", s.Name, id)
			}
		}
		for _, p := range s.Profiles {
			if !profiles[p] {
				return fmt.Errorf("mutant %s is judged on %s, which is no profile", s.Name, p)
			}
		}
		if len(s.scenarios(scenarios)) == 0 {
			return fmt.Errorf("mutant %s declares nothing that a scenario exercises", s.Name)
		}
	}
	return nil
}
