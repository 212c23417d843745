package devices

import (
	"net/http"
	"strings"

	"muster/fakes/faults"
	"muster/suites/prove/rewrite"
)

// Rewrites are the control planes that are wrong on purpose about claims: controllers that make and give back other claims
// than they have to.
func Rewrites() []rewrite.Rewrite {
	seen := func(id, about, resource string, l faults.Lens) rewrite.Rewrite {
		return rewrite.Seen(id, "devices", about, map[string]faults.Lens{resource: l})
	}
	told := func(id, about string, rules func() []faults.Rule) rewrite.Rewrite {
		return rewrite.Told(id, "devices", about, rules)
	}
	untold := []string{"status", "resourceClaimStatuses"}
	named := func(names ...string) func(rewrite.Object) bool { return rewrite.Named(names...) }
	off := told("DRA-015", "A member that comes while the gate is off has a claim.", func() []faults.Rule {
		return rewrite.Through("DRA-015", map[string]faults.Lens{"pods": rewrite.Change(named("stuck"),
			[]any{rewrite.Object{"name": "gpu", "resourceClaimName": "made-up"}}, untold...)})
	})
	return []rewrite.Rewrite{
		seen("DRA-004", "The status of a group names no claim.", "podgroups", rewrite.Change(named("g"), nil, untold...)).With([]string{"DRA-005"}, nil),
		seen("DRA-005", "The status of a member names another claim than its group's.", "pods", rewrite.Change(named("second"),
			[]any{rewrite.Object{"name": "gpu", "resourceClaimName": "made-up"}}, untold...)).With(nil, []string{"INV-017"}),
		seen("DRA-006", "A member that came before its group is told of no claim.", "pods", rewrite.Change(named("p"), nil, untold...)),
		told("DRA-007", "A claim that is lost is not made again.", func() []faults.Rule {
			return rewrite.Through("DRA-007", map[string]faults.Lens{"resourceclaims": rewrite.Hide(rewrite.Beyond(2, rewrite.OwnedBy("g")))})
		}),
		seen("DRA-008", "A member of a group that came before its template is told of no claim.", "pods", rewrite.Change(named("q"), nil, untold...)),
		seen("DRA-013", "The claim made for a group stays when the group goes.", "resourceclaims", faults.Lens{Keep: rewrite.OwnedBy("g")}),
		told("DRA-014", "A claim that only a group used is not given back.", frozen("DRA-014", named("named"), nil)),
		off,
		seen("DRA-030", "Nobody is evicted from a device with a taint that evicts.", "pods", stays(named("hit-0", "hit-1"))),
		seen("DRA-035", "A claim made for a group is controlled by nobody.", "resourceclaims",
			rewrite.Change(rewrite.OwnedBy("g"), nil, "metadata", "ownerReferences")).With([]string{"DRA-004"}, nil),
		told("DRA-042", "A claim is given back while its group is being deleted.", takenBack("DRA-042", "podgroups", "g")).With([]string{"INV-017"}, nil),
		told("DRA-043", "The claim of a pod that has finished is not given back.", frozen("DRA-043", rewrite.OwnedBy("finishes"), rewrite.OwnedBy("finishes"))),
		seen("DRA-044", "The claim of a pod that was deleted stays.", "resourceclaims", faults.Lens{Keep: rewrite.OwnedBy("deleted")}),
		told("DRA-046", "A pod that does not use the device with the taint is evicted.", evictsTooMany),
		seen("DRA-054", "Nobody is evicted from a device to which a rule gives a taint that evicts.", "pods", stays(named("ruled-0", "ruled-1"))),
		told("DRA-048", "A claim is given back when its group has no members.", takenBack("DRA-048", "pods", "second")).With([]string{"DRA-042"}, []string{"INV-017"}),
	}
}

// frozen shows claims for ever as they were allocated first; those that keep picks also when they are deleted, as the
// controller does with the claim of a pod when the pod has finished.
func frozen(id string, pick, keep func(rewrite.Object) bool) func() []faults.Rule {
	allocated := func(o rewrite.Object) bool { return rewrite.At(o, "status", "allocation") != nil }
	return func() []faults.Rule {
		l := rewrite.Frozen(pick, allocated, "status")
		l.Keep = keep
		return rewrite.Through(id, map[string]faults.Lens{"resourceclaims": l})
	}
}

// stays shows objects as if nobody had deleted them.
func stays(pick func(rewrite.Object) bool) faults.Lens {
	l := rewrite.Change(pick, nil, "metadata", "deletionTimestamp")
	l.Keep = pick
	return l
}

// api is where the objects of the API group of devices are.
const api = "/apis/resource.k8s.io/v1/namespaces/"

// takenBack takes from the claim by name what it holds when the driver deletes an object.
func takenBack(id, resource, object string) func() []faults.Rule {
	return func() []faults.Rule {
		return []faults.Rule{rewrite.Besides(id, "delete", resource, object, func(q faults.Request, _ faults.Answer) []faults.Call {
			return []faults.Call{{
				Method: http.MethodPatch, Path: api + q.Namespace + "/resourceclaims/named/status",
				Body: []byte(`{"status":{"allocation":null,"reservedFor":null}}`),
			}}
		})}
	}
}

// evictsTooMany deletes a pod beside those that use the device, when a slice, which is called after the namespace, changes.
func evictsTooMany() []faults.Rule {
	return []faults.Rule{rewrite.Besides("DRA-046", "patch", "resourceslices", "", func(q faults.Request, _ faults.Answer) []faults.Call {
		return []faults.Call{{Method: http.MethodDelete, Path: "/api/v1/namespaces/" + strings.TrimSuffix(q.Name, "-devices") + "/pods/spared-0"}}
	})}
}
