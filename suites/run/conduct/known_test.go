package conduct

import (
	"errors"
	"strings"
	"testing"

	"muster/suites/run/fold"
)

func TestKnownFindingsThatCannotBeMeant(t *testing.T) {
	c, err := Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	builtin, err := fold.BuiltinKnown()
	if err != nil {
		t.Fatal(err)
	}
	if err := checkKnown(c, builtin); err != nil {
		t.Errorf("the list that is built in: %v", err)
	}
	good := fold.KnownFinding{Scheduler: "x", Version: "*", Requirement: "COND-004", Scenario: "conditions-leftovers-retried", Reason: "r"}
	with := func(f func(*fold.KnownFinding)) []fold.KnownFinding {
		k := good
		f(&k)
		return []fold.KnownFinding{k}
	}
	for name, tt := range map[string]struct {
		known []fold.KnownFinding
		want  string
	}{
		"unknown requirement":   {with(func(k *fold.KnownFinding) { k.Requirement = "COND-04" }), "nearest: COND-004"},
		"unknown scenario":      {with(func(k *fold.KnownFinding) { k.Scenario = "conditions-leftover-retried" }), "nearest: conditions-leftovers-retried"},
		"another's scenario":    {with(func(k *fold.KnownFinding) { k.Scenario = "gang-short-of-one-slot" }), "does not judge it"},
		"unknown check":         {with(func(k *fold.KnownFinding) { k.Check = "SatisfiedIsFin" }), "nearest: SatisfiedIsFinal"},
		"another's check":       {with(func(k *fold.KnownFinding) { k.Check = "NoOvercommit" }), `unknown check "NoOvercommit"`},
		"a check where none is": {with(func(k *fold.KnownFinding) { k.Requirement, k.Scenario, k.Check = "GANG-003", "", "NoOvercommit" }), "no check judges it"},
		"a MAY":                 {with(func(k *fold.KnownFinding) { k.Requirement, k.Scenario = "CPG-050", "" }), "MAY"},
		"twice":                 {[]fold.KnownFinding{good, with(func(k *fold.KnownFinding) { k.Reason = "another" })[0]}, "as number 1"},
	} {
		t.Run(name, func(t *testing.T) {
			var wrong *UsageError
			if err := checkKnown(c, tt.known); !errors.As(err, &wrong) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want a usage error that says %q", err, tt.want)
			}
		})
	}
	if err := checkKnown(c, []fold.KnownFinding{good, with(func(k *fold.KnownFinding) { k.Check = "SatisfiedIsFinal" })[0]}); err != nil {
		t.Errorf("a judge's and a check's entry: %v", err)
	}
}

func TestStoredRefusesWhatCannotBeMeant(t *testing.T) {
	var wrong *UsageError
	_, _, err := Stored([]string{"testdata/golden/composite-budgets.jsonl"}, []fold.KnownFinding{
		{Scheduler: "*", Version: "*", Requirement: "COND-004", Scenario: "nope", Reason: "r"},
	})
	if !errors.As(err, &wrong) {
		t.Errorf("got %v, want a usage error", err)
	}
}
