package requirements_test

import (
	"testing"

	"muster/suites"
	_ "muster/suites/api"
	_ "muster/suites/basic"
	_ "muster/suites/builder"
	_ "muster/suites/composite"
	_ "muster/suites/conditions"
	_ "muster/suites/devices"
	_ "muster/suites/field"
	_ "muster/suites/gang"
	_ "muster/suites/job"
	_ "muster/suites/preemption"
	"muster/suites/requirements"
	_ "muster/suites/robust"
	_ "muster/suites/topology"
)

// What is required is exercised, and what is exercised is required.
func TestEveryRequirementHasAScenario(t *testing.T) {
	reqs, err := requirements.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range requirements.Verify(reqs, suites.Scenarios()) {
		t.Error(err)
	}
}
