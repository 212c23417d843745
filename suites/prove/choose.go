package prove

import (
	"maps"
	"slices"

	"muster/suites"
)

// Choose are the subjects of these names that are judged on one of these profiles; an empty list does not narrow.
func Choose(all []Subject, profiles, names []string) []Subject {
	var out []Subject
	for _, s := range all {
		named := len(names) == 0 || slices.Contains(names, s.Name)
		judged := len(profiles) == 0 || slices.ContainsFunc(s.Profiles, func(p string) bool { return slices.Contains(profiles, p) })
		if named && judged {
			out = append(out, s)
		}
	}
	return out
}

// Scope are the requirements that must be proven: those of the profiles, and where single mutants were named, those they
// declare.
func Scope(all []suites.Requirement, profiles, names []string, subjects []Subject) []suites.Requirement {
	var out []suites.Requirement
	for _, r := range all {
		in := len(profiles) == 0 || slices.Contains(profiles, r.Profile)
		declared := len(names) == 0 || slices.ContainsFunc(subjects, func(s Subject) bool { return slices.Contains(s.Kills, r.ID) })
		if in && declared {
			out = append(out, r)
		}
	}
	return out
}

// Trials are those a proof rests on.
func (p Proof) Trials() []Trial {
	var out []Trial
	if p.Reference != nil {
		out = append(out, *p.Reference)
	}
	for _, m := range p.Mutants {
		out = append(out, m.Trial)
	}
	return out
}

// Merge puts the trials of several runs together. Of a mutant the last trial holds. Of the reference scheduler, which each
// run has judged on other scenarios, every violation is kept, and what was found kept elsewhere is no excuse.
func Merge(runs ...[]Trial) []Trial {
	last := map[string]Trial{}
	failed, passed := map[string]bool{}, map[string]bool{}
	for _, t := range slices.Concat(runs...) {
		if t.Scheduler == "" {
			t = together(t, last, failed, passed)
		}
		last[t.Scheduler] = t
	}
	out := make([]Trial, 0, len(last))
	for _, name := range slices.Sorted(maps.Keys(last)) {
		out = append(out, last[name])
	}
	return out
}

// together is a trial of the reference with those before it.
func together(t Trial, last map[string]Trial, failed, passed map[string]bool) Trial {
	for _, id := range t.Failed {
		failed[id] = true
	}
	for _, id := range t.Passed {
		passed[id] = true
	}
	if before, ok := last[""]; ok {
		t.Seconds += before.Seconds
		t.Full = t.Full && before.Full
		if t.Error == "" {
			t.Error = before.Error
		}
		for id, why := range before.Reasons {
			if t.Reasons == nil {
				t.Reasons = map[string]string{}
			}
			t.Reasons[id] = why
		}
	}
	t.Failed = slices.Sorted(maps.Keys(failed))
	t.Passed = slices.DeleteFunc(slices.Sorted(maps.Keys(passed)), func(id string) bool { return failed[id] })
	return t
}
