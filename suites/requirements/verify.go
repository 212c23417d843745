package requirements

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"muster/suites"
)

var (
	idForm      = regexp.MustCompile(`^([A-Z]+)-[0-9]{3}$`)
	releaseForm = regexp.MustCompile(`^1\.[0-9]+$`)
	// pinned is an address of a file as one commit has it: what was read can be read again. tagged is one of a release.
	pinned = regexp.MustCompile(`/blob/[0-9a-f]{40}/`)
	tagged = regexp.MustCompile(`/blob/v[0-9]+\.[0-9]+\.[0-9]+/`)
	// nextSentence is the place where a second sentence begins.
	nextSentence = regexp.MustCompile(`[.!?]["')]?\s+["'(]?[A-Z]`)
)

// gates are the feature gates of Kubernetes 1.37 that a requirement may depend on.
var gates = []string{
	"GenericWorkload", "TopologyAwareWorkloadScheduling", "DRAWorkloadResourceClaims", "PodGroupPreemptionPolicy",
	"CompositePodGroup", "WorkloadWithJob",
	// Of dynamic resource allocation: what devices may be, beside claims for groups.
	"DRADeviceTaints", "DRADeviceTaintRules", "DRAPartitionableDevices",
}

var (
	levels     = []suites.Level{suites.Must, suites.Should, suites.May}
	maturities = []suites.Maturity{suites.Stable, suites.Beta, suites.Alpha, suites.Provisional}
	kinds      = []string{"api-doc", "kep", "doc", "release-note", "source", "field"}
	subjects   = []string{"", "scheduler", "control-plane"}
)

// Verify checks the catalogue by its own rules and against the scenarios: every requirement but the invariants is
// exercised by at least one scenario, and every scenario names known requirements and a known profile. It returns
// everything that is wrong.
func Verify(reqs []suites.Requirement, scenarios []suites.Scenario) []error {
	errs := check(reqs)
	known := map[string]suites.Requirement{}
	for _, r := range reqs {
		known[r.ID] = r
	}
	exercised := map[string]bool{}
	for _, s := range scenarios {
		if _, ok := ProfileByName(s.Profile); !ok {
			errs = append(errs, fmt.Errorf("scenario %s: profile %q is not known", s.Name, s.Profile))
		}
		for _, id := range s.Requirements {
			r, ok := known[id]
			switch {
			case !ok:
				errs = append(errs, fmt.Errorf("scenario %s: requirement %s is not in the catalogue", s.Name, id))
			case r.Invariant():
				errs = append(errs, fmt.Errorf("scenario %s: %s is an invariant, which checks judge and scenarios do not", s.Name, id))
			}
			exercised[id] = true
		}
	}
	for _, r := range reqs {
		if !r.Invariant() && !exercised[r.ID] {
			errs = append(errs, fmt.Errorf("%s (%s): no scenario exercises it", r.ID, r.Title))
		}
	}
	return errs
}

// check judges the catalogue by itself.
func check(reqs []suites.Requirement) []error {
	var errs []error
	seen, said := map[string]bool{}, map[string]string{}
	for _, r := range reqs {
		for _, problem := range problems(r) {
			errs = append(errs, fmt.Errorf("%s: %s", r.ID, problem))
		}
		if seen[r.ID] {
			errs = append(errs, fmt.Errorf("%s: defined twice; an ID is for ever", r.ID))
		}
		if other, ok := said[r.Text]; ok && other != r.ID {
			errs = append(errs, fmt.Errorf("%s: it says the same as %s, word for word: one requirement is one sentence", r.ID, other))
		}
		seen[r.ID], said[r.Text] = true, r.ID
	}
	return errs
}

// problems are all the rules one requirement breaks.
func problems(r suites.Requirement) (out []string) {
	complain := func(broken bool, format string, args ...any) {
		if broken {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	complain(!idForm.MatchString(r.ID), "the ID is not of the form AREA-NNN")
	complain(r.Title == "", "it has no title")
	complain(!oneSentence(r.Text), "its text %q is not one sentence", r.Text)
	complain(!slices.Contains(levels, r.Level), "level %q is none of %v", r.Level, levels)
	complain(!slices.Contains(maturities, r.Maturity), "maturity %q is none of %v", r.Maturity, maturities)
	complain(!slices.Contains(subjects, r.Subject), "subject %q is neither scheduler nor control-plane", r.Subject)
	complain(r.Core && r.Level != suites.Must, "it is core but %s: only a MUST can be core", r.Level)
	for _, g := range r.Gates {
		complain(!slices.Contains(gates, g), "gate %q is none of %s", g, strings.Join(gates, ", "))
	}
	complain(r.Release != "" && !releaseForm.MatchString(r.Release), "release %q is not of the form 1.37", r.Release)
	complain(r.Release == "" && r.Maturity == suites.Alpha, "it is Alpha, and an alpha API may change with every release: "+
		"say which one it describes (release)")
	complain(r.Release == "" && len(r.Sources) > 0 && !slices.ContainsFunc(r.Sources, promised),
		"it rests on what the source does alone, which may change with every release: say which one it describes (release)")
	p, ok := ProfileByName(r.Profile)
	complain(!ok, "profile %q is not known", r.Profile)
	complain(ok && !slices.Contains(p.Areas, areaOf(r.ID)), "profile %s holds the areas %v only", r.Profile, p.Areas)

	complain(len(r.Sources) == 0, "it has no source")
	for _, s := range r.Sources {
		complain(!slices.Contains(kinds, s.Kind), "source kind %q is none of %v", s.Kind, kinds)
		complain(s.Ref == "", "a source does not say where it is (ref)")
		complain(!strings.HasPrefix(s.URL, "https://"), "source %s has no https URL", s.Ref)
		complain(s.Kind == "kep" && !pinned.MatchString(s.URL), "the URL of %s names no commit (…/blob/<40 hex digits>/…): "+
			"a KEP is edited, and its sentence has to be found again", s.Ref)
		complain((s.Kind == "api-doc" || s.Kind == "source") && !pinned.MatchString(s.URL) && !tagged.MatchString(s.URL),
			"the URL of %s names neither a release nor a commit", s.Ref)
	}
	complain(r.Level == suites.Must && !slices.ContainsFunc(r.Sources, carries),
		"it is a MUST, but no quoted sentence of an API document or KEP carries it")
	return out
}

// promised reports whether a source is more than what a release happens to do.
func promised(s suites.Source) bool { return s.Kind != "source" && s.Kind != "release-note" }

// carries reports whether a source is strong enough for a MUST.
func carries(s suites.Source) bool {
	return (s.Kind == "api-doc" || s.Kind == "kep") && strings.TrimSpace(s.Quote) != "" && s.URL != ""
}

func oneSentence(text string) bool {
	return strings.HasSuffix(text, ".") && !nextSentence.MatchString(text) && !strings.Contains(text, "\n\n")
}

func areaOf(id string) string {
	if m := idForm.FindStringSubmatch(id); m != nil {
		return m[1]
	}
	return ""
}

func joined(errs []error) error { return errors.Join(errs...) }
