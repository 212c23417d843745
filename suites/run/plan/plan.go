package plan

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"muster/suites"
	"muster/suites/run/fold"
)

// Catalogue is everything there is to choose from.
type Catalogue struct {
	Requirements []suites.Requirement
	Scenarios    []suites.Scenario
	// OnRequest are profiles that are run only when they, or one of theirs, are asked for by name: they take long.
	OnRequest []string
	// Order is the order in which profiles are named; those that are not in it come last, as they are met.
	Order []string
}

// Profiles are the names of all profiles that have requirements.
func (c Catalogue) Profiles() []string {
	var out []string
	for _, r := range c.Requirements {
		if !slices.Contains(out, r.Profile) {
			out = append(out, r.Profile)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(c.rank(a), c.rank(b)) })
	return out
}

func (c Catalogue) rank(profile string) int {
	if i := slices.Index(c.Order, profile); i >= 0 {
		return i
	}
	return len(c.Order)
}

// Selection is what the user asked for. An empty list does not narrow; several lists narrow together.
type Selection struct {
	Profiles     []string `json:"profiles,omitempty"`
	Requirements []string `json:"requirements,omitempty"`
	Scenarios    []string `json:"scenarios,omitempty"`
	// Invariants that are asked for beside, whatever the rest of the selection narrows.
	Invariants []string `json:"invariants,omitempty"`
}

// Plan is what a run is about.
type Plan struct {
	// Profiles that were asked for, by name or by default. The invariants are part of every run but are asked for only
	// by name.
	Profiles []string
	// Named: the profiles were asked for by name. Else they are all there are, and one of which nothing could be executed
	// is no surprise.
	Named bool
	// Expected are the requirements that must get a verdict, sorted by ID.
	Expected []suites.Requirement
	// Scenarios to run, sorted by name.
	Scenarios []suites.Scenario
	// Filtered are scenarios that exercise an expected requirement but were not asked for. They have no share in its
	// verdict, which is partial without them.
	Filtered []suites.Scenario
	// Narrowed is set where single requirements or scenarios were asked for; then no profile can be conformant.
	Narrowed bool
}

// New makes a plan. Errors are the user's: unknown names (UnknownName, joined when there are several) or a selection
// that leaves nothing.
func New(c Catalogue, s Selection) (*Plan, error) {
	if err := c.check(s); err != nil {
		return nil, err
	}
	p := &Plan{Profiles: s.Profiles, Named: len(s.Profiles) > 0, Narrowed: len(s.Requirements)+len(s.Scenarios) > 0}
	if len(p.Profiles) == 0 {
		p.Profiles = slices.DeleteFunc(c.Profiles(), func(n string) bool {
			return n == fold.Invariants || !p.Narrowed && slices.Contains(c.OnRequest, n)
		})
	}
	wanted := map[string]bool{}
	allScenarios := false
	for _, r := range c.Requirements {
		explicit := slices.Contains(s.Requirements, r.ID)
		in := slices.Contains(p.Profiles, r.Profile) && (len(s.Requirements) == 0 || explicit)
		if r.Invariant() {
			allScenarios = allScenarios || explicit || slices.Contains(s.Profiles, fold.Invariants)
		} else if in {
			wanted[r.ID] = true
		}
	}
	named := map[string]bool{}
	for _, sc := range c.Scenarios {
		exercises := slices.ContainsFunc(sc.Requirements, func(id string) bool { return wanted[id] })
		asked := len(s.Scenarios) == 0 || slices.Contains(s.Scenarios, sc.Name)
		switch {
		case asked && (exercises || allScenarios && !slices.Contains(c.OnRequest, sc.Profile)):
			p.Scenarios = append(p.Scenarios, sc)
			for _, id := range sc.Requirements {
				named[id] = true
			}
		default:
			p.Filtered = append(p.Filtered, sc)
		}
	}
	p.Filtered = slices.DeleteFunc(p.Filtered, func(sc suites.Scenario) bool {
		return !slices.ContainsFunc(sc.Requirements, func(id string) bool { return wanted[id] && named[id] })
	})
	for _, r := range c.Requirements {
		keep := wanted[r.ID] && (len(s.Scenarios) == 0 || named[r.ID])
		if keep || r.Invariant() && p.asks(r, s) {
			p.Expected = append(p.Expected, r)
		}
	}
	slices.SortFunc(p.Expected, func(a, b suites.Requirement) int { return strings.Compare(a.ID, b.ID) })
	slices.SortFunc(p.Scenarios, func(a, b suites.Scenario) int { return strings.Compare(a.Name, b.Name) })
	if len(p.Scenarios) == 0 {
		return nil, errors.New(s.nothingLeft())
	}
	return p, nil
}

// asks reports whether an invariant is part of the plan. Those that hold for any workload always are; those about one
// subject (preemption, topology) are where its profile is run as a whole, since elsewhere chance decides whether
// anything exercises them.
func (p *Plan) asks(r suites.Requirement, s Selection) bool {
	return r.Profile == fold.Invariants || slices.Contains(s.Requirements, r.ID) || slices.Contains(s.Invariants, r.ID) ||
		!p.Narrowed && slices.Contains(p.Profiles, r.Profile)
}

// check refuses names that do not exist, all of them at once.
func (c Catalogue) check(s Selection) error {
	ids := make([]string, len(c.Requirements))
	for i, r := range c.Requirements {
		ids[i] = r.ID
	}
	names := make([]string, len(c.Scenarios))
	for i, sc := range c.Scenarios {
		names[i] = sc.Name
	}
	var errs []error
	for _, set := range []struct {
		kind         string
		given, valid []string
	}{{"profile", s.Profiles, c.Profiles()}, {"requirement", s.Requirements, ids}, {"scenario", s.Scenarios, names}} {
		for _, n := range set.given {
			errs = append(errs, Check(set.kind, n, set.valid))
		}
	}
	return errors.Join(errs...)
}

func (s Selection) nothingLeft() string {
	var parts []string
	for _, set := range []struct {
		flag string
		list []string
	}{{"--profile", s.Profiles}, {"--requirement", s.Requirements}, {"--scenario", s.Scenarios}} {
		if len(set.list) > 0 {
			parts = append(parts, set.flag+" "+strings.Join(set.list, ","))
		}
	}
	if len(parts) == 0 {
		return "no scenario is registered"
	}
	return fmt.Sprintf("no scenario satisfies %s together", strings.Join(parts, " and "))
}
