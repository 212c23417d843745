package composite

import (
	"net/http"

	"muster/fakes/faults"
	"muster/suites/prove/rewrite"
)

// Rewrites are the control planes that are wrong on purpose about trees.
func Rewrites() []rewrite.Rewrite {
	return []rewrite.Rewrite{
		rewrite.Told("CPG-023", "composite", "A pod of a running tree goes with the root.", func() []faults.Rule {
			return []faults.Rule{rewrite.Besides("CPG-023", "delete", "compositepodgroups", "tree", func(q faults.Request, _ faults.Answer) []faults.Call {
				return []faults.Call{{Method: http.MethodDelete, Path: "/api/v1/namespaces/" + q.Namespace + "/pods/a-0"}}
			})}
		}),
	}
}
