package api

import (
	"encoding/json"
	"slices"
	"testing"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit/answer"
)

// as is an object with the value at a field of its spec; empty: without.
func as(field, value string) history.Response {
	if value == "" {
		return history.Response{Code: 200, Object: json.RawMessage(`{"spec":{}}`)}
	}
	return history.Response{Code: 200, Object: json.RawMessage(`{"spec":{"` + field + `":` + value + `}}`)}
}

// Each requirement speaks about its own field, whatever becomes of the others.
func TestGatesOffLater(t *testing.T) {
	s, ok := suites.ScenarioByName("api-gates-off-later")
	if !ok {
		t.Fatal("no such scenario")
	}
	fields := append(slices.Clone(gatedFields), gated{"API-003", "joined", "schedulingGroup", `{"podGroupName":"g"}`, `{"podGroupName":"h"}`, "", false})
	refused := func(field string) history.Response {
		return history.Response{Code: 422, Reason: "Invalid", Causes: []string{field + ": FieldValueInvalid"}}
	}
	good := map[string]history.Response{}
	for _, f := range fields {
		good[f.id+" stored"], good[f.id+" another label"] = as(f.field, f.value), as(f.field, f.value)
		good[f.id+" a new one while it is off"], good[f.id+" another value"] = as(f.field, ""), refused("spec."+f.field)
	}
	for _, f := range fields {
		for _, tt := range []struct {
			name, odd string
			answer    history.Response
			want      suites.Verdict
		}{
			{"as it should be", "", history.Response{}, suites.Pass},
			{"lost", "another label", as(f.field, ""), suites.Fail},
			{"another", "another label", as(f.field, f.other), suites.Fail},
			{"refused", "another label", refused("spec." + f.field), suites.Fail},
			{"changed", "another value", as(f.field, f.other), suites.Fail},
			{"refused for something else", "another value", refused("metadata.labels"), suites.Inconclusive},
			{"the gate is on", "a new one while it is off", as(f.field, f.value), suites.Inconclusive},
			{"never stored", "stored", refused("spec." + f.field), suites.Inconclusive},
		} {
			t.Run(f.id+" "+tt.name, func(t *testing.T) {
				findings := s.Judge(tell(storedRows(), good, f.id+" "+tt.odd, tt.answer))
				for _, other := range fields {
					want := suites.Pass
					if other.id == f.id {
						want = tt.want
					}
					if got := verdictOf(t, findings, other.id); got != want {
						t.Errorf("%s is %s, want %s", other.id, got, want)
					}
				}
			})
		}
	}
}

// What is rewritten is what was stored, and not the refusals beside it.
func TestRewritesOfWhatWasStored(t *testing.T) {
	for _, r := range slices.Concat(storedKept, membershipKept) {
		if got := answer.Crucial(slices.Concat(storedKept, membershipKept), r.ID); len(got) != 1 || got[0].Label() != r.Label() {
			t.Errorf("the rewrite of %s is about %v", r.ID, got)
		}
	}
}
