package plan

import "testing"

// A profile on request is run when it or one of its scenarios is named, and never along with everything.
func TestProfilesOnRequest(t *testing.T) {
	c := catalogue()
	c.OnRequest = []string{"basic"}
	for _, tt := range []struct {
		name string
		s    Selection
		want string
	}{
		{"everything", Selection{}, "quorum-met quorum-waits trickle"}, // trickle is of the profile and exercises another's
		{"by name", Selection{Profiles: []string{"basic"}}, "trickle"},
		{"one scenario", Selection{Scenarios: []string{"trickle"}}, "trickle"},
		{"one requirement", Selection{Requirements: []string{"BASIC-001"}}, "trickle"},
		{"the invariants", Selection{Profiles: []string{"invariants"}}, "quorum-met quorum-waits"},
	} {
		p, err := New(c, tt.s)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got := names(p); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	p, err := New(c, Selection{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range p.Expected {
		if r.ID == "BASIC-001" {
			t.Error("what is on request is expected of a run of everything")
		}
	}
}
