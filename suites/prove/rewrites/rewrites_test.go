package rewrites

import (
	"slices"
	"testing"

	"muster/suites"
	"muster/suites/prove"
	"muster/suites/requirements"
	"muster/suites/run/fold"
)

// Every rewrite declares what there is, and no two of them have one name.
func TestRewritesDeclareWhatThereIs(t *testing.T) {
	reqs, err := requirements.All()
	if err != nil {
		t.Fatal(err)
	}
	subjects, all, err := Subjects(suites.Scenarios())
	if err != nil {
		t.Fatal(err)
	}
	if err := prove.Check(subjects, reqs, suites.Scenarios()); err != nil {
		t.Error(err)
	}
	if all[0].Name != AsIs || len(all[0].Kills) == 0 {
		t.Errorf("the first is %s and kills %v", all[0].Name, all[0].Kills)
	}
	seen := map[string]bool{}
	for _, r := range all {
		if seen[r.Name] {
			t.Errorf("two rewrites are called %s", r.Name)
		}
		seen[r.Name] = true
		if r.Name != AsIs && len(r.Rules()) == 0 {
			t.Errorf("%s has no rules", r.Name)
		}
		if r.Rules == nil {
			continue
		}
		for _, rule := range r.Rules() {
			if err := rule.Check(); err != nil {
				t.Errorf("%s: %v", r.Name, err)
			}
		}
	}
}

// What is wrong with the control plane anyhow is the business of the one as it is, and may be found with every other.
func TestTheControlPlaneAsItIs(t *testing.T) {
	known := []fold.KnownFinding{
		{Scheduler: "*", Requirement: "API-068", Scenario: "api-workload-updates"},
		{Scheduler: "*", Requirement: "XYZ-001", Scenario: "elsewhere"},
		{Scheduler: "kube-scheduler", Requirement: "API-045", Scenario: "api-workload-updates"},
	}
	all := All(known, suites.Scenarios())
	if !slices.Equal(all[0].Kills, []string{"API-068"}) {
		t.Errorf("as it is it kills %v", all[0].Kills)
	}
	for _, r := range all[1:] {
		if r.Kills[0] == "API-068" || !slices.Contains(r.May, "API-068") {
			t.Errorf("%s kills %v and may violate %v", r.Name, r.Kills, r.May)
		}
	}
}

// Whatever is demanded of the control plane is broken by one of them: by a rewrite, or by the control plane as it is.
func TestEveryRequirementOnTheControlPlaneIsBroken(t *testing.T) {
	reqs, err := requirements.All()
	if err != nil {
		t.Fatal(err)
	}
	subjects, _, err := Subjects(suites.Scenarios())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range reqs {
		if r.Subject != suites.ControlPlane || r.Level == suites.May {
			continue
		}
		if !slices.ContainsFunc(subjects, func(s prove.Subject) bool { return slices.Contains(s.Kills, r.ID) }) {
			t.Errorf("%s (%s) is broken by none", r.ID, r.Title)
		}
	}
}
