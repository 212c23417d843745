package rewrite

import (
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
	return Rewrite{Name: Prefix + id, About: about, Profile: profile, Kills: []string{id}, Rules: func() []faults.Rule {
		var out []faults.Rule
		for resource, l := range lenses {
			for _, of := range []string{resource, resource + "/*"} {
				out = append(out, faults.Rule{
					Name: Prefix + id + " " + strings.ReplaceAll(of, "/*", " subresources"), Resource: of, Fault: faults.Fault{Lens: &l},
				})
			}
		}
		return out
	}}
}

// Is reports whether a name is one of a rewrite.
func Is(name string) bool { return strings.HasPrefix(name, Prefix) }
