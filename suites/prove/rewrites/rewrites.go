// Package rewrites has all control planes that are wrong on purpose, and the one that nobody made wrong.
//
// The control plane as it is comes first. It is judged on every scenario that a rewrite is judged on, so that what is found
// with a rewrite is the rewrite's doing; and what is known to be wrong with it (the known findings that no scheduler is the
// reason of) it has to be found to violate, which proves those requirements without any rewriting.
package rewrites

import (
	"fmt"
	"slices"

	"muster/suites"
	"muster/suites/api"
	"muster/suites/builder"
	"muster/suites/devices"
	"muster/suites/job"
	"muster/suites/prove"
	"muster/suites/prove/rewrite"
	"muster/suites/run/fold"
)

// AsIs is the name of the control plane that nobody made wrong.
const AsIs = rewrite.Prefix + "none"

// All are the rewrites, AsIs first, given everything that is known to fail and every scenario there is.
func All(known []fold.KnownFinding, scenarios []suites.Scenario) []rewrite.Rewrite {
	return with(slices.Concat(api.Rewrites(), job.Rewrites(), builder.Rewrites(), devices.Rewrites()), known, scenarios)
}

// with puts the control plane as it is before the others, and takes out those that break what is broken anyhow.
func with(list []rewrite.Rewrite, known []fold.KnownFinding, scenarios []suites.Scenario) []rewrite.Rewrite {
	judged := on(list, scenarios)
	none := rewrite.Rewrite{Name: AsIs, About: "Nothing is rewritten: what is known to be wrong with the control plane itself."}
	for _, k := range known {
		if k.Scheduler == "*" && slices.Contains(judged, k.Scenario) && !slices.Contains(none.Kills, k.Requirement) {
			none.Kills = append(none.Kills, k.Requirement)
		}
	}
	slices.Sort(none.Kills)
	out := []rewrite.Rewrite{none}
	for _, r := range list {
		if slices.Contains(none.Kills, r.Kills[0]) {
			continue
		}
		r.May = append(slices.Clone(r.May), none.Kills...)
		out = append(out, r)
	}
	return out
}

// on are the names of the scenarios that exercise what the rewrites break.
func on(list []rewrite.Rewrite, scenarios []suites.Scenario) []string {
	var out []string
	for _, s := range scenarios {
		if slices.ContainsFunc(list, func(r rewrite.Rewrite) bool {
			return slices.ContainsFunc(s.Requirements, func(id string) bool { return slices.Contains(r.Kills, id) })
		}) {
			out = append(out, s.Name)
		}
	}
	return out
}

// Subjects are the rewrites as package prove knows them.
func Subjects(scenarios []suites.Scenario) ([]prove.Subject, []rewrite.Rewrite, error) {
	known, err := fold.BuiltinKnown()
	if err != nil {
		return nil, nil, fmt.Errorf("reading what is known to be wrong with the control plane: %w", err)
	}
	all := All(known, scenarios)
	profiles := []string{}
	for _, r := range all[1:] {
		if !slices.Contains(profiles, r.Profile) {
			profiles = append(profiles, r.Profile)
		}
	}
	out := make([]prove.Subject, len(all))
	for i, r := range all {
		out[i] = prove.Subject{Name: r.Name, About: r.About, Profiles: []string{r.Profile}, Kills: r.Kills, May: r.May, ControlPlane: true}
	}
	out[0].Profiles, out[0].Scenarios = profiles, on(all[1:], scenarios)
	return out, all, nil
}
