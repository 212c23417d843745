package requirements

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"muster/suites"
)

func good() suites.Requirement {
	return suites.Requirement{
		ID: "GANG-001", Profile: "gang", Title: "Title", Text: "One sentence, e.g. this one.", Level: suites.Must,
		Maturity: suites.Beta, Core: true, Gates: []string{"GenericWorkload"},
		Sources: []suites.Source{{Kind: "api-doc", Ref: "a T.f", URL: "https://example.org/blob/v1.37.2/types.go", Quote: "It must."}},
	}
}

func TestCheckKnowsTheRules(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(*suites.Requirement)
		want  string
	}{
		{"a good one", func(r *suites.Requirement) {}, ""},
		{"a form of ID", func(r *suites.Requirement) { r.ID = "GANG-1" }, "AREA-NNN"},
		{"a lower-case area", func(r *suites.Requirement) { r.ID = "gang-001" }, "AREA-NNN"},
		{"an area of another profile", func(r *suites.Requirement) { r.ID = "COND-001" }, "holds the areas"},
		{"no title", func(r *suites.Requirement) { r.Title = "" }, "no title"},
		{"no text", func(r *suites.Requirement) { r.Text = "" }, "one sentence"},
		{"two sentences", func(r *suites.Requirement) { r.Text = "One. Two." }, "one sentence"},
		{"two questions", func(r *suites.Requirement) { r.Text = "One? \"Two\"." }, "one sentence"},
		{"no full stop", func(r *suites.Requirement) { r.Text = "One" }, "one sentence"},
		{"level", func(r *suites.Requirement) { r.Level = "WILL" }, "level"},
		{"maturity", func(r *suites.Requirement) { r.Maturity = "beta" }, "maturity"},
		{"gate that is gone", func(r *suites.Requirement) { r.Gates = []string{"GangScheduling"} }, "gate"},
		{"subject", func(r *suites.Requirement) { r.Subject = "kubelet" }, "subject"},
		{"profile", func(r *suites.Requirement) { r.Profile = "gangs" }, "profile"},
		{"release", func(r *suites.Requirement) { r.Release = "v1.37.2" }, "not of the form"},
		{"Alpha of no release", func(r *suites.Requirement) { r.Maturity = suites.Alpha }, "may change with every release"},
		{"Alpha of a release", func(r *suites.Requirement) { r.Maturity, r.Release = suites.Alpha, "1.37" }, ""},
		{"the source alone, of no release", func(r *suites.Requirement) {
			r.Sources[0].Kind, r.Level, r.Core = "source", suites.Should, false
		}, "what the source does alone"},
		{"core SHOULD", func(r *suites.Requirement) { r.Level = suites.Should }, "only a MUST"},
		{"no source", func(r *suites.Requirement) { r.Sources = nil }, "no source"},
		{"kind", func(r *suites.Requirement) { r.Sources[0].Kind = "rumour" }, "kind"},
		{"no ref", func(r *suites.Requirement) { r.Sources[0].Ref = "" }, "ref"},
		{"no URL", func(r *suites.Requirement) { r.Sources[0].URL = "" }, "URL"},
		{"a branch of an API document", func(r *suites.Requirement) { r.Sources[0].URL = "https://example.org/blob/master/types.go" }, "neither a release nor a commit"},
		{"a KEP at a branch", func(r *suites.Requirement) {
			r.Sources[0].Kind, r.Sources[0].URL = "kep", "https://example.org/blob/master/README.md"
		}, "names no commit"},
		{"a KEP at a release", func(r *suites.Requirement) { r.Sources[0].Kind = "kep" }, "names no commit"},
		{"a KEP at a commit", func(r *suites.Requirement) {
			r.Sources[0].Kind, r.Sources[0].URL = "kep", "https://example.org/blob/"+strings.Repeat("0a", 20)+"/README.md"
		}, ""},
		{"MUST without a quote", func(r *suites.Requirement) { r.Sources[0].Quote = "" }, "no quoted sentence"},
		{"MUST with a blank quote", func(r *suites.Requirement) { r.Sources[0].Quote = " \n" }, "no quoted sentence"},
		{"MUST on the source alone", func(r *suites.Requirement) { r.Sources[0].Kind = "source" }, "no quoted sentence"},
		{"SHOULD on the source alone", func(r *suites.Requirement) {
			r.Sources[0].Kind, r.Sources[0].Quote, r.Level, r.Core, r.Release = "source", "", suites.Should, false, "1.37"
		}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := good()
			tt.spoil(&r)
			errs := check([]suites.Requirement{r})
			if tt.want == "" && len(errs) > 0 {
				t.Errorf("check: %v", errs)
			}
			if tt.want != "" && !mention(errs, tt.want) {
				t.Errorf("check: %v, want one with %q", errs, tt.want)
			}
		})
	}
}

// Two of one sentence would count as two and say one.
func TestCheckKnowsASentenceThatIsSaidTwice(t *testing.T) {
	first, second, third := good(), good(), good()
	second.ID, third.ID, third.Text = "GANG-002", "GANG-003", "Another sentence."
	errs := check([]suites.Requirement{first, second, third})
	if len(errs) != 1 || !mention(errs, "GANG-002: it says the same as GANG-001") {
		t.Errorf("check: %v", errs)
	}
}

func TestVerifyMatchesScenarios(t *testing.T) {
	inv := good()
	inv.ID, inv.Profile, inv.Text = "INV-001", "invariants", "It never changes."
	scenario := func(profile string, ids ...string) suites.Scenario {
		return suites.Scenario{Name: "a-scenario", Profile: profile, Requirements: ids}
	}
	tests := []struct {
		name      string
		scenarios []suites.Scenario
		want      string
	}{
		{"all is well, and invariants need no scenario", []suites.Scenario{scenario("gang", "GANG-001")}, ""},
		{"no scenario", nil, "no scenario exercises it"},
		{"an unknown requirement", []suites.Scenario{scenario("gang", "GANG-001", "GANG-999")}, "GANG-999"},
		{"an unknown profile", []suites.Scenario{scenario("gangs", "GANG-001")}, `"gangs"`},
		{"a scenario that judges an invariant", []suites.Scenario{scenario("gang", "GANG-001", "INV-001")}, "invariant"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			errs := Verify([]suites.Requirement{good(), inv}, tt.scenarios)
			if tt.want == "" && len(errs) > 0 {
				t.Errorf("Verify: %v", errs)
			}
			if tt.want != "" && !mention(errs, tt.want) {
				t.Errorf("Verify: %v, want one with %q", errs, tt.want)
			}
		})
	}
}

// Whatever part of the catalogue the scenarios cover, Verify names exactly the judged rest.
func TestVerifyFindsEveryGap(t *testing.T) {
	reqs, err := All()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		var ids []string
		missing := 0
		for _, r := range reqs {
			if r.Invariant() {
				continue
			}
			if rapid.Bool().Draw(t, r.ID) {
				ids = append(ids, r.ID)
			} else {
				missing++
			}
		}
		errs := Verify(reqs, []suites.Scenario{{Name: "s", Profile: "gang", Requirements: ids}})
		if len(errs) != missing {
			t.Fatalf("%d covered, %d not: Verify found %d", len(ids), missing, len(errs))
		}
	})
}

func mention(errs []error, what string) bool {
	return slices.ContainsFunc(errs, func(err error) bool { return strings.Contains(err.Error(), what) }) &&
		strings.Contains(errors.Join(errs...).Error(), what)
}
