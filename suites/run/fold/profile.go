package fold

import "muster/suites"

// Invariants is the profile of the requirements that are judged in every scenario; it is part of every run.
const Invariants = "invariants"

// Profile is the result of one profile.
type Profile struct {
	Name string `json:"name"`
	// Conformant: every MUST of its core was executed and passed. Always false for a profile without a core.
	Conformant bool `json:"conformant"`
	// Core MUSTs in all, executed, and passed in all their scenarios.
	Core         int `json:"core"`
	CoreExecuted int `json:"coreExecuted"`
	CorePassed   int `json:"corePassed"`
	// Musts executed, core or not.
	MustsExecuted int    `json:"mustsExecuted"`
	Counts        Counts `json:"counts"`
}

// Profiles folds outcomes by the profile of their requirement, in the order in which profiles first appear.
// complete is false where the expected set was narrowed or the run interrupted: then no profile is conformant, since
// requirements that were never asked about cannot have been met.
func Profiles(outcomes []Outcome, complete bool) []Profile {
	var order []string
	by := map[string][]Outcome{}
	for _, o := range outcomes {
		p := o.Requirement.Profile
		if _, seen := by[p]; !seen {
			order = append(order, p)
		}
		by[p] = append(by[p], o)
	}
	out := make([]Profile, 0, len(order))
	for _, name := range order {
		p := Profile{Name: name, Counts: Count(by[name])}
		for _, o := range by[name] {
			p.add(o)
		}
		p.Conformant = complete && p.Core > 0 && p.CorePassed == p.Core
		out = append(out, p)
	}
	return out
}

func (p *Profile) add(o Outcome) {
	if o.Requirement.Level != suites.Must {
		return
	}
	if o.Executed {
		p.MustsExecuted++
	}
	if !o.Requirement.Core {
		return
	}
	p.Core++
	if o.Executed {
		p.CoreExecuted++
	}
	if o.Executed && o.Verdict == suites.Pass && !o.Partial() {
		p.CorePassed++
	}
}
