package prove

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"muster/suites"
)

// APIVersion and Kind of a stored proof.
const (
	APIVersion = "muster/v1alpha1"
	Kind       = "Proof"
)

// Proof is which requirements were seen to fail, and by whom.
type Proof struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Muster is the revision that judged.
	Muster string `json:"muster,omitempty"`
	// Sound: the reference scheduler violates nothing, all mutants count, and all requirements are proven.
	Sound bool `json:"sound"`
	// Reference is the trial of the scheduler without a fault.
	Reference *Trial `json:"reference,omitempty"`
	// Mutants by name.
	Mutants []Result `json:"mutants"`
	// Untried are mutants that have not been judged.
	Untried []string `json:"untried,omitempty"`
	// Requirements in scope, by ID.
	Requirements []Row `json:"requirements"`
}

// Row is one requirement.
type Row struct {
	ID    string       `json:"id"`
	Level suites.Level `json:"level"`
	Title string       `json:"title"`
	// KilledBy are the mutants that count and violate it; TouchedBy others that were found to.
	KilledBy  []string `json:"killedBy,omitempty"`
	TouchedBy []string `json:"touchedBy,omitempty"`
}

// Fold makes a proof of trials: scope are the requirements that must be proven. A mutant without a trial is
// untried.
func Fold(subjects []Subject, trials []Trial, scope []suites.Requirement) Proof {
	p := Proof{APIVersion: APIVersion, Kind: Kind, Sound: true, Mutants: []Result{}, Requirements: []Row{}}
	for _, t := range trials {
		if t.Scheduler == "" {
			p.Reference = &t
			continue
		}
		for _, s := range subjects {
			if s.Name == t.Scheduler {
				p.Mutants = append(p.Mutants, resultOf(s, t))
			}
		}
	}
	for _, s := range subjects {
		if !slices.ContainsFunc(trials, func(t Trial) bool { return t.Scheduler == s.Name }) {
			p.Untried = append(p.Untried, s.Name)
		}
	}
	slices.SortFunc(p.Mutants, func(a, b Result) int { return strings.Compare(a.Name, b.Name) })
	for _, q := range scope {
		if q.Level == suites.May {
			continue
		}
		row := Row{ID: q.ID, Level: q.Level, Title: q.Title}
		for _, m := range p.Mutants {
			switch {
			case m.Counts && slices.Contains(m.Killed, q.ID):
				row.KilledBy = append(row.KilledBy, m.Name)
			case slices.Contains(m.Trial.Failed, q.ID):
				row.TouchedBy = append(row.TouchedBy, m.Name)
			}
		}
		p.Requirements = append(p.Requirements, row)
	}
	slices.SortFunc(p.Requirements, func(a, b Row) int { return cmp.Compare(a.ID, b.ID) })
	p.Sound = len(p.Objections()) == 0
	return p
}

// Objections are what is wrong with a proof, one sentence each; none where it is sound.
func (p Proof) Objections() []string {
	var out []string
	schedulers := len(p.Mutants) == 0 || slices.ContainsFunc(p.Mutants, func(m Result) bool { return !m.ControlPlane })
	switch {
	case p.Reference == nil && !schedulers: // control planes are judged beside the one that nobody made wrong
	case p.Reference == nil:
		out = append(out, "the reference scheduler was not judged, so that what a mutant violates may not be its fault")
	case p.Reference.Error != "":
		out = append(out, "the reference scheduler was not judged to the end: "+p.Reference.Error)
	case len(p.Reference.Failed) > 0:
		out = append(out, "the reference scheduler violates "+strings.Join(p.Reference.Failed, ", "))
	}
	for _, m := range p.Mutants {
		if !m.Counts {
			out = append(out, fmt.Sprintf("mutant %s does not count: %s%s", m.Name, m.Why, m.detail()))
		}
	}
	if len(p.Untried) > 0 {
		out = append(out, fmt.Sprintf("%d mutants have not been judged: %s", len(p.Untried), strings.Join(p.Untried, ", ")))
	}
	if open := p.Unproven(); len(open) > 0 {
		out = append(out, fmt.Sprintf("%d of %d requirements have not been seen to fail: %s", len(open), len(p.Requirements), strings.Join(open, ", ")))
	}
	return out
}

// Unproven are the requirements that no mutant that counts kills.
func (p Proof) Unproven() []string {
	var out []string
	for _, r := range p.Requirements {
		if len(r.KilledBy) == 0 {
			out = append(out, r.ID)
		}
	}
	return out
}

// Line is the last line of a run.
func (p Proof) Line() string {
	counting := 0
	for _, m := range p.Mutants {
		if m.Counts {
			counting++
		}
	}
	return fmt.Sprintf("prove: %d of %d requirements were seen to fail, %d of %d mutants count",
		len(p.Requirements)-len(p.Unproven()), len(p.Requirements), counting, len(p.Mutants))
}

// detail names the requirements a result turns on.
func (r Result) detail() string {
	var parts []string
	if len(r.Survived) > 0 {
		parts = append(parts, "kept "+strings.Join(r.Survived, ", "))
	}
	if len(r.Beyond) > 0 {
		parts = append(parts, "also violates "+strings.Join(r.Beyond, ", "))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, "; ") + ")"
}
