package mutant

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestMutantsAreNamedAndSayWhatTheyKill(t *testing.T) {
	name, id := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`), regexp.MustCompile(`^[A-Z]+-\d{3}$`)
	for _, m := range All() {
		t.Run(m.Name, func(t *testing.T) {
			if !name.MatchString(m.Name) {
				t.Error("the name is not words joined by hyphens")
			}
			if !strings.HasPrefix(m.About, "It ") && !strings.HasSuffix(m.About, ".") {
				t.Errorf("%q is not a sentence", m.About)
			}
			if len(m.Profiles) == 0 || len(m.Kills) == 0 {
				t.Error("it is judged on nothing, or kills nothing")
			}
			for _, k := range slices.Concat(m.Kills, m.May) {
				if !id.MatchString(k) {
					t.Errorf("%q is no requirement's ID", k)
				}
			}
			for _, k := range m.May {
				if slices.Contains(m.Kills, k) {
					t.Errorf("%s is killed and perhaps killed", k)
				}
			}
			if a, b := m.Fault(), m.Fault(); a == nil || a == b {
				t.Error("two schedulers would share one fault's memory")
			}
		})
	}
}

func TestByName(t *testing.T) {
	if m, err := ByName("one-short"); err != nil || m.Name != "one-short" {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := ByName("one-shirt"); err == nil || !strings.Contains(err.Error(), "one-short") {
		t.Errorf("%v does not say which there are", err)
	}
}

func TestSlowMutants(t *testing.T) {
	for _, m := range Slow() {
		if len(m.Kills) > 0 || slices.ContainsFunc(All(), func(o Mutant) bool { return o.Name == m.Name }) {
			t.Errorf("%s is for the suite as well", m.Name)
		}
		if got, err := ByName(m.Name); err != nil || got.Name != m.Name {
			t.Errorf("%s: %+v, %v", m.Name, got, err)
		}
	}
	for name, want := range map[string]float64{"slowed-by-10": 0.1, "slowed-by-25": 0.25, "slowed-by-1000": 10} {
		if m, err := ByName(name); err != nil || m.Fault().Slower != want {
			t.Errorf("%s: %+v, %v; want %g", name, m, err, want)
		}
	}
	for _, name := range []string{"slowed-by-", "slowed-by-0", "slowed-by-010", "slowed-by--5", "slowed-by-1001", "slowed-by-x", "slowed-10"} {
		if _, err := ByName(name); err == nil {
			t.Errorf("%s is taken for a mutant", name)
		}
	}
}
