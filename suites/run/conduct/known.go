package conduct

import (
	"errors"
	"fmt"
	"slices"

	"muster/suites"
	"muster/suites/check"
	"muster/suites/run/fold"
	"muster/suites/run/plan"
)

// checkKnown finds entries of a list of known findings that cannot be meant as they stand: names that do not exist, a
// requirement that never fails, a scenario or check that does not ask for it, an entry that is there twice. A name that is
// misspelt would make an entry that nothing proves out of date, and that excuses for good. A *UsageError.
func checkKnown(c plan.Catalogue, known []fold.KnownFinding) error {
	var errs []error
	seen := map[fold.KnownFinding]int{}
	for i, k := range known {
		if err := knownNames(c, k); err != nil {
			errs = append(errs, fmt.Errorf("known finding %d (%s): %w", i+1, k.Requirement, err))
		}
		k.Reason = ""
		if first, twice := seen[k]; twice {
			errs = append(errs, fmt.Errorf("known finding %d (%s): it is there already, as number %d: take one of them off the list", i+1, k.Requirement, first))
			continue
		}
		seen[k] = i + 1
	}
	if err := errors.Join(errs...); err != nil {
		return usage(err)
	}
	return nil
}

func knownNames(c plan.Catalogue, k fold.KnownFinding) error {
	if err := plan.Check("requirement", k.Requirement, plan.IDs(c.Requirements)); err != nil {
		return err
	}
	i := slices.IndexFunc(c.Requirements, func(r suites.Requirement) bool { return r.ID == k.Requirement })
	if c.Requirements[i].Level == suites.May {
		return errors.New("it is a MAY, which is observed and never fails: take the entry off the list")
	}
	if k.Check != "" {
		var names []string
		for _, f := range check.All() {
			if f.ID == k.Requirement {
				names = append(names, f.Name)
			}
		}
		if len(names) == 0 {
			return fmt.Errorf("no check judges it, so that %q finds nothing: leave check away for the scenario's own judge", k.Check)
		}
		if err := plan.Check("check", k.Check, names); err != nil {
			return err
		}
	}
	if k.Scenario == "" {
		return nil
	}
	var names []string
	for _, s := range c.Scenarios {
		names = append(names, s.Name)
	}
	if err := plan.Check("scenario", k.Scenario, names); err != nil {
		return err
	}
	j := slices.IndexFunc(c.Scenarios, func(s suites.Scenario) bool { return s.Name == k.Scenario })
	if k.Check == "" && !slices.Contains(c.Scenarios[j].Requirements, k.Requirement) {
		return fmt.Errorf("scenario %s does not judge it: name one that does (muster list scenarios), or its check", k.Scenario)
	}
	return nil
}
