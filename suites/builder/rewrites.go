package builder

import (
	"strings"

	"muster/fakes/faults"
	"muster/suites/prove/rewrite"
)

// Rewrites are the control planes that are wrong on purpose about what the library has made.
func Rewrites() []rewrite.Rewrite {
	from := func(workload string) func(rewrite.Object) bool {
		return func(o rewrite.Object) bool {
			return rewrite.At(o, "spec", "workloadRef", "workloadName") == workload
		}
	}
	member := func(o rewrite.Object) bool {
		name, _ := rewrite.At(o, "metadata", "name").(string)
		return strings.HasPrefix(name, flat+"-")
	}
	seen := func(id, about, resource string, l faults.Lens) rewrite.Rewrite {
		return rewrite.Seen(id, "builder", about, map[string]faults.Lens{resource: l})
	}
	return []rewrite.Rewrite{
		seen("WLB-001", "A group is stored without the disruption mode of its template.", "podgroups",
			rewrite.Change(from(flat), nil, "spec", "disruptionMode")),
		seen("WLB-002", "A Workload is stored without what refers to its owner.", "workloads",
			rewrite.Change(rewrite.Named(flat), nil, "spec", "controllerRef")),
		seen("WLB-004", "Groups of delegates are not disrupted as their template says.", "podgroups",
			rewrite.Change(from(set), nil, "spec", "disruptionMode")),
		seen("WLB-005", "Groups stay when what owns them goes.", "podgroups", faults.Lens{Keep: member}),
		seen("WLB-006", "The groups of a tree are stored without their parent.", "podgroups",
			rewrite.Change(from(nested), nil, "spec", "parentCompositePodGroupName")),
	}
}
