package compose

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"muster/reports/v1alpha1"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/requirements"
	"muster/suites/run/fold"
	"muster/suites/run/plan"
)

// Input is everything a report is made of.
type Input struct {
	// Expected requirements, and the profiles that were asked for by name; none: the run is about all there are.
	Expected []suites.Requirement
	Profiles []string
	// Narrowed: single requirements or scenarios were asked for.
	Narrowed  bool
	Scenarios []fold.Scenario
	Known     []fold.KnownFinding
	Profile   history.SchedulerProfile
	// Interrupted: by the user. Err: why else the run ended early, or could not be judged whole.
	Interrupted bool
	Err         error
	// Took is the time that the record of the run spans.
	Took       time.Duration
	Provenance v1alpha1.Provenance
}

// Report folds and composes.
func Report(in Input) *v1alpha1.ConformanceReport {
	subject := fold.Subject{Scheduler: in.Profile.Name, Version: in.Profile.Version}
	outcomes := fold.Fold(in.Expected, in.Scenarios, in.Known, subject)
	incomplete := in.Interrupted || in.Err != nil
	code, reason := fold.Exit(outcomes, in.Profiles, in.Interrupted)
	if in.Err != nil && (code == fold.ExitOK || code == fold.ExitUndecided) {
		code, reason = fold.ExitUndecided, in.Err.Error()
	}
	counts := fold.Count(outcomes)
	r := &v1alpha1.ConformanceReport{
		APIVersion: v1alpha1.APIVersion,
		Kind:       v1alpha1.Kind,
		Subject: v1alpha1.Subject{
			Scheduler: in.Profile.Name, Version: in.Profile.Version, SchedulerNames: in.Profile.SchedulerNames,
			Dialect: in.Profile.Dialect, Organization: in.Profile.Organization, Project: in.Profile.Project,
			URL: in.Profile.URL, Contact: in.Profile.Contact, Unsupported: in.Profile.Unsupported,
		},
		Summary: v1alpha1.Summary{
			Line: counts.Line(in.Took), ExitCode: code, Reason: reason, Incomplete: incomplete, Narrowed: in.Narrowed, Counts: v1alpha1.Counts(counts),
		},
		Expected:   set(outcomes, func(fold.Outcome) bool { return true }),
		Executed:   set(outcomes, func(o fold.Outcome) bool { return o.Executed }),
		Profiles:   []v1alpha1.Profile{},
		Scenarios:  scenarios(in.Scenarios),
		Provenance: in.Provenance,
	}
	r.Provenance.Seconds = seconds(in.Took)
	if note := otherRelease(in); note != "" {
		r.Provenance.Components = append(slices.Clone(r.Provenance.Components), v1alpha1.Component{Name: "catalogue", Notes: []string{note}})
	}
	for _, p := range inOrder(fold.Profiles(outcomes, !in.Narrowed && !incomplete)) {
		r.Profiles = append(r.Profiles, v1alpha1.Profile{
			Name: p.Name, Conformant: p.Conformant, Core: p.Core, CoreExecuted: p.CoreExecuted, CorePassed: p.CorePassed,
			Counts: v1alpha1.Counts(p.Counts),
		})
	}
	r.Requirements = make([]v1alpha1.Requirement, 0, len(outcomes))
	for _, o := range outcomes {
		r.Requirements = append(r.Requirements, requirement(o))
	}
	return r
}

// inOrder sorts profiles as they are listed everywhere; those of another catalogue come last, as they are met.
func inOrder(profiles []fold.Profile) []fold.Profile {
	order := requirements.Order()
	rank := func(p fold.Profile) int {
		if i := slices.Index(order, p.Name); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortStableFunc(profiles, func(a, b fold.Profile) int { return cmp.Compare(rank(a), rank(b)) })
	return profiles
}

// otherRelease says that the API server is of a release that part of the catalogue does not describe; empty where it is
// not, or where its version is unknown.
func otherRelease(in Input) string {
	version := in.Provenance.Versions[plan.APIServer]
	tied := map[string]int{}
	for _, q := range in.Expected {
		if q.Release != "" && plan.Minor(version) != "" && q.Release != plan.Minor(version) {
			tied[q.Release]++
		}
	}
	var parts []string
	for _, release := range slices.Sorted(maps.Keys(tied)) {
		parts = append(parts, fmt.Sprintf("%d requirements describe Kubernetes %s and are not supported here", tied[release], release))
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("the API server is %s: %s", version, strings.Join(parts, "; "))
}

func set(outcomes []fold.Outcome, in func(fold.Outcome) bool) v1alpha1.Set {
	ids := []string{}
	for _, o := range outcomes {
		if in(o) {
			ids = append(ids, o.Requirement.ID)
		}
	}
	slices.Sort(ids)
	return v1alpha1.Set{Digest: plan.Digest(ids), IDs: ids}
}

func requirement(o fold.Outcome) v1alpha1.Requirement {
	q := o.Requirement
	out := v1alpha1.Requirement{
		ID: q.ID, Profile: q.Profile, Title: q.Title, Text: q.Text, Level: q.Level, Maturity: q.Maturity, Core: q.Core,
		Gates: q.Gates, Sources: q.Sources, Verdict: o.Verdict, Value: o.Value, Reason: o.Reason, Known: o.Known, Gating: o.Gates(),
	}
	if o.Partial() {
		out.Partial, out.Share = true, fmt.Sprintf("%d of %d scenarios", o.Asked, o.Of)
	}
	for _, s := range o.Scenarios {
		out.Scenarios = append(out.Scenarios, v1alpha1.ScenarioVerdict(s))
	}
	for _, f := range o.Findings {
		out.Findings = append(out.Findings, v1alpha1.Finding{
			Scenario: f.Scenario, Check: f.Check, Verdict: f.Verdict, Message: f.Message, Value: f.Value,
			Objects: f.Objects, Seq: f.At.Seq,
		})
	}
	return out
}

func scenarios(in []fold.Scenario) []v1alpha1.Scenario {
	out := make([]v1alpha1.Scenario, 0, len(in))
	for _, s := range in {
		out = append(out, v1alpha1.Scenario{
			Name: s.Name, Profile: s.Profile, Status: string(s.Status), Verdict: s.Verdict(), Reason: s.Reason,
			Shard: s.Shard, Seconds: seconds(s.Took),
		})
	}
	slices.SortFunc(out, func(a, b v1alpha1.Scenario) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Shard, b.Shard))
	})
	return out
}

// seconds with milliseconds, so that a report does not pretend to more.
func seconds(d time.Duration) float64 {
	return float64(d.Round(time.Millisecond).Milliseconds()) / 1000
}
