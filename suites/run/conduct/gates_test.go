package conduct

import (
	"maps"
	"slices"
	"testing"

	"muster/fakes/cluster"
	"muster/suites/history"
	"muster/suites/run/plan"
)

// dependents of a gate: itself and whatever needs one of them, as the registry of Kubernetes 1.37.2 has it.
func dependents(gate string) map[string]bool {
	off := map[string]bool{gate: true}
	for grown := true; grown; {
		grown = false
		for _, g := range cluster.KnownGates() {
			needs := slices.ContainsFunc(g.Needs, func(n string) bool { return off[n] })
			if needs && !off[g.Name] {
				off[g.Name], grown = true, true
			}
		}
	}
	return off
}

// With one gate off exactly the requirements that name it, or a gate that needs it, are not supported: neither more nor
// fewer, and no other way in which a gate can be off makes a difference.
func TestGatesOffOneByOne(t *testing.T) {
	c, err := Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, gate := range slices.Sorted(maps.Keys(cluster.DefaultGates())) {
		t.Run(gate, func(t *testing.T) {
			in, err := cluster.ResolveGates(cluster.DefaultGates(), map[string]bool{gate: false})
			if err != nil {
				t.Fatal(err)
			}
			off := plan.OfferOf(&history.Header{Gates: in.Gates, Versions: map[string]string{plan.APIServer: "v1.37.2"}}).Unsupported(c.Requirements)
			gone := dependents(gate)
			hit := 0
			for _, r := range c.Requirements {
				_, is := off[r.ID]
				want := slices.ContainsFunc(r.Gates, func(g string) bool { return gone[g] })
				if is != want {
					t.Errorf("%s (gates %v): not supported: %t, want %t", r.ID, r.Gates, is, want)
				}
				if want {
					hit++
				}
			}
			if hit == 0 || hit == len(c.Requirements) {
				t.Errorf("%d of %d requirements hang on it", hit, len(c.Requirements))
			}
			// Every gate of the catalogue has to be known, or its being off would excuse nothing.
			for _, r := range c.Requirements {
				for _, g := range r.Gates {
					if _, known := in.Gates[g]; !known {
						t.Errorf("%s: gate %s is not one of Kubernetes 1.37", r.ID, g)
					}
				}
			}
		})
	}
}

// The embedded control plane is of the release that the catalogue describes.
func TestReleaseOfTheCatalogue(t *testing.T) {
	c, err := Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	tied := 0
	for _, r := range c.Requirements {
		if r.Release != "" {
			tied++
		}
		if r.Release != "" && r.Release != "1.37" {
			t.Errorf("%s describes %s", r.ID, r.Release)
		}
	}
	if tied == 0 || tied == len(c.Requirements) {
		t.Errorf("%d of %d requirements are tied to a release", tied, len(c.Requirements))
	}
}
