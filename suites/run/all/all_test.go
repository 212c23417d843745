package all

import (
	"slices"
	"testing"

	"muster/suites"
	"muster/suites/check"
	"muster/suites/requirements"
	"muster/suites/run/fold"
)

// Every requirement can get a verdict, and every scenario speaks about requirements that exist.
func TestScenariosAndCatalogueAgree(t *testing.T) {
	reqs, err := requirements.All()
	if err != nil {
		t.Fatal(err)
	}
	exercised := map[string][]string{}
	for _, s := range suites.Scenarios() {
		for _, id := range s.Requirements {
			exercised[id] = append(exercised[id], s.Name)
		}
	}
	for _, c := range check.All() {
		exercised[c.ID] = append(exercised[c.ID], c.Name)
	}
	for _, r := range reqs {
		if len(exercised[r.ID]) == 0 {
			t.Errorf("%s (%s) is exercised by no scenario and no check", r.ID, r.Title)
		}
		delete(exercised, r.ID)
	}
	for id, by := range exercised {
		t.Errorf("%v: requirement %s is not in the catalogue", by, id)
	}
}

func TestScenariosSayWhatTheyNeed(t *testing.T) {
	capabilities := []string{
		"create-nodes", "seed-nodes", "restart-components", "set-gates", "restart-scheduler", suites.ReadMetrics, suites.ReadSchedulerMetrics, "break-api", "run-two-schedulers", "finish-pods",
	}
	for _, s := range suites.Scenarios() {
		for _, c := range s.Needs.Capabilities {
			if !slices.Contains(capabilities, c) {
				t.Errorf("scenario %s needs %q, which no cluster has", s.Name, c)
			}
		}
		if s.Isolation != suites.OwnCluster && (len(s.Needs.Gates)+len(s.Needs.SchedulerGates) > 0 || s.Needs.NoScheduler) {
			t.Errorf("scenario %s wants gates or no scheduler without a cluster of its own", s.Name)
		}
		if slices.Contains(s.Needs.Capabilities, "restart-scheduler") && s.Isolation == suites.Shared {
			t.Errorf("scenario %s restarts the scheduler beside others", s.Name)
		}
		if reads := slices.Contains(s.Needs.Capabilities, suites.ReadMetrics) || slices.Contains(s.Needs.Capabilities, suites.ReadSchedulerMetrics); reads && s.Isolation == suites.Shared {
			t.Errorf("scenario %s reads what processes count, of which others have a share", s.Name)
		}
		if slices.Contains(s.Needs.Capabilities, suites.RestartComponents) && s.Isolation == suites.Shared {
			t.Errorf("scenario %s restarts components beside others", s.Name)
		}
	}
}

func TestBuiltinKnownFindingsAreWellFormed(t *testing.T) {
	known, err := fold.BuiltinKnown()
	if err != nil {
		t.Fatal(err)
	}
	reqs, err := requirements.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range known {
		if !slices.ContainsFunc(reqs, func(r suites.Requirement) bool { return r.ID == k.Requirement }) {
			t.Errorf("known finding about %s, which is not in the catalogue", k.Requirement)
		}
	}
}
