package requirements

import (
	"slices"

	"muster/suites"
)

// Profile is a set of requirements that is run and claimed together.
type Profile struct {
	// Name as it is given to --profile.
	Name string
	// Folder holds its scenarios (for invariants: its checks). Those of the area FIELD stand in suites/field.
	Folder string
	// Areas are the ID prefixes that belong to it.
	Areas []string
	// Summary is one sentence for a list.
	Summary string
	// OnRequest: it takes long, and is run only when it is asked for by name.
	OnRequest bool
}

// Profiles are all profiles of the catalogue, in the order they are listed.
func Profiles() []Profile {
	return []Profile{
		{Name: "gang", Folder: "suites/gang", Areas: []string{"GANG", "FIELD"},
			Summary: "Gangs are bound as a whole or not at all."},
		{Name: "basic", Folder: "suites/basic", Areas: []string{"BASIC"},
			Summary: "Groups with the basic policy are scheduled as their pods come."},
		{Name: "conditions", Folder: "suites/conditions", Areas: []string{"COND"},
			Summary: "Groups say truthfully whether they have been scheduled."},
		{Name: "api", Folder: "suites/api", Areas: []string{"API"},
			Summary: "The API server holds Workloads, PodGroups and memberships to their documentation."},
		{Name: "job", Folder: "suites/job", Areas: []string{"JOB"},
			Summary: "Jobs that say how they are to be scheduled get their Workload and PodGroup."},
		{Name: "preemption", Folder: "suites/preemption", Areas: []string{"PRE", "FIELD", "INV"},
			Summary: "Room is made for higher priorities, with the right victims and no others."},
		{Name: "topology", Folder: "suites/topology", Areas: []string{"TAS", "INV"},
			Summary: "Groups with a topology constraint stand in one domain."},
		{Name: "devices", Folder: "suites/devices", Areas: []string{"DRA", "INV"},
			Summary: "Pods and groups get the devices they claim, together where they share them, and give them back."},
		{Name: "composite", Folder: "suites/composite", Areas: []string{"CPG"},
			Summary: "Groups of groups are scheduled as one tree."},
		{Name: "builder", Folder: "suites/builder", Areas: []string{"WLB"},
			Summary: "Workloads compiled by the published library do what they say."},
		{Name: "robust", Folder: "suites/robust", Areas: []string{"ROB"}, OnRequest: true,
			Summary: "Faults of the API, the nodes and the scheduler itself are survived; run only when asked for by name."},
		{Name: invariants, Folder: "suites/check", Areas: []string{"INV"},
			Summary: "What holds in every scenario; judged with whatever is run."},
	}
}

// invariants is the profile whose requirements are judged in every scenario and have none of their own.
const invariants = "invariants"

// Order are the names of all profiles in the order in which they are listed everywhere.
func Order() []string {
	var out []string
	for _, p := range Profiles() {
		out = append(out, p.Name)
	}
	return out
}

// OnRequest are the names of the profiles that are run only when asked for by name.
func OnRequest() []string {
	var out []string
	for _, p := range Profiles() {
		if p.OnRequest {
			out = append(out, p.Name)
		}
	}
	return out
}

// ProfileByName finds a profile.
func ProfileByName(name string) (Profile, bool) {
	for _, p := range Profiles() {
		if p.Name == name {
			return p, true
		}
	}
	return Profile{}, false
}

// Core are the requirements of a profile that must all be executed and passed before anything may call itself
// conformant to it.
func Core(reqs []suites.Requirement, profile string) []suites.Requirement {
	return slices.DeleteFunc(slices.Clone(reqs), func(r suites.Requirement) bool {
		return r.Profile != profile || !r.Core
	})
}
