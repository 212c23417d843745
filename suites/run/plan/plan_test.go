package plan

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"muster/suites"
)

func catalogue() Catalogue {
	r := func(id, profile string, gates ...string) suites.Requirement {
		return suites.Requirement{ID: id, Profile: profile, Level: suites.Must, Gates: gates}
	}
	s := func(name, profile string, ids ...string) suites.Scenario {
		return suites.Scenario{Name: name, Profile: profile, Requirements: ids}
	}
	return Catalogue{
		Requirements: []suites.Requirement{
			r("GANG-001", "gang", "GenericWorkload"), r("GANG-002", "gang"), r("BASIC-001", "basic"), r("INV-001", "invariants"), r("INV-011", "basic"),
		},
		Scenarios: []suites.Scenario{
			s("quorum-waits", "gang", "GANG-001", "GANG-002"), s("quorum-met", "gang", "GANG-002"), s("trickle", "basic", "BASIC-001", "GANG-002"),
		},
	}
}

func names(p *Plan) string {
	var out []string
	for _, s := range p.Scenarios {
		out = append(out, s.Name)
	}
	return strings.Join(out, " ")
}

func filtered(p *Plan) string {
	var out []string
	for _, s := range p.Filtered {
		out = append(out, s.Name)
	}
	return strings.Join(out, " ")
}

func TestNew(t *testing.T) {
	tests := []struct {
		name      string
		s         Selection
		expected  string
		scenarios string
		filtered  string
		narrowed  bool
	}{
		{"everything", Selection{}, "BASIC-001 GANG-001 GANG-002 INV-001 INV-011", "quorum-met quorum-waits trickle", "", false},
		{"a profile brings the scenarios of others that exercise it", Selection{Profiles: []string{"gang"}},
			"GANG-001 GANG-002 INV-001", "quorum-met quorum-waits trickle", "", false},
		{"another profile", Selection{Profiles: []string{"basic"}}, "BASIC-001 INV-001 INV-011", "trickle", "", false},
		{"a requirement", Selection{Requirements: []string{"GANG-001"}}, "GANG-001 INV-001", "quorum-waits", "", true},
		{"an invariant needs every scenario", Selection{Requirements: []string{"INV-001"}}, "INV-001", "quorum-met quorum-waits trickle", "", true},
		{"a scenario leaves the others of its requirements out", Selection{Scenarios: []string{"quorum-met"}},
			"GANG-002 INV-001", "quorum-met", "quorum-waits trickle", true},
		{"flags narrow together", Selection{Profiles: []string{"basic"}, Scenarios: []string{"trickle"}}, "BASIC-001 INV-001", "trickle", "", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := New(catalogue(), tt.s)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(IDs(p.Expected), " "); got != tt.expected {
				t.Errorf("expected set %s, want %s", got, tt.expected)
			}
			if got := names(p); got != tt.scenarios {
				t.Errorf("scenarios %s, want %s", got, tt.scenarios)
			}
			for _, f := range strings.Fields(tt.filtered) {
				if !strings.Contains(filtered(p), f) {
					t.Errorf("filtered %s, want %s among them", filtered(p), f)
				}
			}
			if p.Narrowed != tt.narrowed {
				t.Errorf("narrowed %v", p.Narrowed)
			}
		})
	}
}

func TestProfilesAreInOrder(t *testing.T) {
	c := Catalogue{Order: []string{"topology", "gang", "api"}}
	for _, profile := range []string{"job", "api", "gang", "api", "basic", "topology"} {
		c.Requirements = append(c.Requirements, suites.Requirement{Profile: profile})
	}
	if got, want := strings.Join(c.Profiles(), " "), "topology gang api job basic"; got != want {
		t.Errorf("profiles %s, want %s", got, want)
	}
}

func TestUnknownNamesAreRefusedTogether(t *testing.T) {
	_, err := New(catalogue(), Selection{Profiles: []string{"gnag"}, Requirements: []string{"GANG-0001"}, Scenarios: []string{"quorum"}})
	if err == nil {
		t.Fatal("accepted")
	}
	for _, want := range []string{
		`unknown profile "gnag"; nearest: gang`, `unknown requirement "GANG-0001"; nearest: GANG-001`, `unknown scenario "quorum"; nearest: quorum-met`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nlacks %s", err, want)
		}
	}
	var u *UnknownName
	if !errors.As(err, &u) || u.Kind != "profile" {
		t.Errorf("no UnknownName in %v", err)
	}
}

func TestNothingLeft(t *testing.T) {
	_, err := New(catalogue(), Selection{Profiles: []string{"basic"}, Requirements: []string{"GANG-001"}})
	if err == nil || !strings.Contains(err.Error(), "--profile basic and --requirement GANG-001") {
		t.Errorf("got %v", err)
	}
}

func TestUnknownNamesCarryTheNearest(t *testing.T) {
	valid := []string{"gang", "basic", "conditions", "field", "invariants"}
	for _, tt := range []struct{ name, want string }{
		{"gagn", "gang"}, {"GANG", "gang"}, {"condition", "conditions"}, {"bsic", "basic"}, {"cond", "conditions"},
	} {
		var u *UnknownName
		if err := Check("profile", tt.name, valid); !errors.As(err, &u) || u.Nearest[0] != tt.want || len(u.Nearest) != 3 {
			t.Errorf("%q: %v, want %s first of three", tt.name, err, tt.want)
		}
	}
	var u *UnknownName
	if err := Check("profile", "x", nil); !errors.As(err, &u) || len(u.Nearest) != 0 {
		t.Errorf("nearest of nothing: %v", err)
	}
}

func TestOffer(t *testing.T) {
	c := catalogue()
	withNeeds := c.Scenarios[0]
	withNeeds.Needs.Capabilities = []string{"restart-scheduler"}
	tests := []struct {
		name     string
		offer    Offer
		scenario suites.Scenario
		off      string // unsupported requirements
		lacks    string
	}{
		{"all there", Offer{Gates: map[string]bool{"GenericWorkload": true}}, c.Scenarios[0], "", ""},
		{"unknown gates excuse nothing", Offer{}, c.Scenarios[0], "", ""},
		{"a gate that is not listed excuses nothing", Offer{Gates: map[string]bool{"Other": false}}, c.Scenarios[0], "", ""},
		{"a gate is off for one of two requirements", Offer{Gates: map[string]bool{"GenericWorkload": false}}, c.Scenarios[0], "GANG-001", ""},
		{"declared by profile", Offer{Declared: []string{"gang"}}, c.Scenarios[1], "GANG-001 GANG-002", "the scheduler profile declares gang unsupported"},
		{"declared by ID", Offer{Declared: []string{"GANG-002"}}, c.Scenarios[1], "GANG-002", "the scheduler profile declares GANG-002 unsupported"},
		{"a capability is missing", Offer{}, withNeeds, "", "the cluster cannot restart-scheduler"},
		{"a capability is there", Offer{Capabilities: []string{"restart-scheduler"}}, withNeeds, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			off := tt.offer.Unsupported(c.Requirements)
			var ids []string
			for id := range off {
				ids = append(ids, id)
			}
			slices.Sort(ids)
			if got := strings.Join(ids, " "); got != tt.off {
				t.Errorf("unsupported %s, want %s", got, tt.off)
			}
			if got := tt.offer.Lacks(tt.scenario, off); got != tt.lacks {
				t.Errorf("lacks %q, want %q", got, tt.lacks)
			}
		})
	}
}

func TestDigest(t *testing.T) {
	a, b := Digest([]string{"GANG-002", "GANG-001"}), Digest([]string{"GANG-001", "GANG-002", "GANG-002"})
	if a != b {
		t.Error("the order or a repetition changes the digest")
	}
	if a == Digest([]string{"GANG-001"}) {
		t.Error("different sets have one digest")
	}
	// printf 'GANG-001\nGANG-002\n' | sha256sum
	if want := "sha256:" + twoIDs; a != want {
		t.Errorf("%s, want %s", a, want)
	}
}

const twoIDs = "ce33bafddd2a6257c997bd318ceef6edc27e710d781d6955438cbe83b677d10e"
