package rewrite

import (
	"maps"
	"slices"
	"strings"

	"muster/fakes/faults"
)

// Prefix of every rewrite's name.
const Prefix = "rewrite:"

// Rewrite is a control plane with one fault.
type Rewrite struct {
	// Name, with Prefix; About is the fault in one sentence.
	Name, About string
	// Profile of the requirements it breaks.
	Profile string
	// Kills are the requirements it breaks; May those that it breaks or not.
	Kills, May []string
	// Rules for the proxy of one trial. They may remember what they saw, so that every trial asks for its own.
	Rules func() []faults.Rule
}

// Seen is the rewrite that breaks a requirement by how objects look: of each resource named, through its lens.
func Seen(id, profile, about string, lenses map[string]faults.Lens) Rewrite {
	return Told(id, profile, about, func() []faults.Rule { return Through(id, lenses) })
}

// Told is the rewrite that breaks a requirement by rules, which may remember what they saw.
func Told(id, profile, about string, rules func() []faults.Rule) Rewrite {
	return Rewrite{Name: Prefix + id, About: about, Profile: profile, Kills: []string{id}, Rules: rules}
}

// Through are the rules by which objects of each resource named are seen through its lens, in every answer and watch.
func Through(id string, lenses map[string]faults.Lens) []faults.Rule {
	var out []faults.Rule
	for _, resource := range slices.Sorted(maps.Keys(lenses)) {
		l := lenses[resource]
		for _, of := range []string{resource, resource + "/*"} {
			out = append(out, faults.Rule{
				Name: Prefix + id + " " + strings.ReplaceAll(of, "/*", " subresources"), Resource: of, Fault: faults.Fault{Lens: &l},
			})
		}
	}
	return out
}

// Besides is the rule by which a component does something of its own when the client has been answered a request: a verb,
// of a resource, on an object of this name (a pattern of path.Match; empty: any, which it has to be for creations).
func Besides(id, verb, resource, object string, also func(faults.Request, faults.Answer) []faults.Call) faults.Rule {
	return faults.Rule{Name: Prefix + id + " after " + verb, Verb: verb, Resource: resource, Object: object, Fault: faults.Fault{Also: also}}
}

// With is a rewrite that breaks, or may break, further requirements.
func (r Rewrite) With(kills, may []string) Rewrite {
	r.Kills, r.May = append(slices.Clone(r.Kills), kills...), append(slices.Clone(r.May), may...)
	return r
}

// Is reports whether a name is one of a rewrite.
func Is(name string) bool { return strings.HasPrefix(name, Prefix) }
